import { expect, test, vi } from "vitest";
import * as z from "zod";

// The entry points through which all code of rules is imported.
const loaded: string[] = [];
vi.mock(import("../../cel/src/index.js"), async (original) => {
  loaded.push("cel");
  return original();
});
vi.mock(import("../../cel/src/internal.js"), async (original) => {
  loaded.push("cel/internal");
  return original();
});
vi.mock(import("../../schema/src/rules.js"), async (original) => {
  loaded.push("schema/rules");
  return original();
});

const options = { group: "example.com", version: "v1", kind: "Widget" } as const;
const rules = [{ rule: "self > 1" }];

test("ZS16: the expression language is loaded where a rule is defined, and not before", async () => {
  const { defineResource, loadRules } = await import("typekube/crd");
  const Widget = defineResource({ ...options, spec: z.object({ size: z.int() }) });
  expect(Widget.check({ metadata: { name: "a" }, spec: {} }).causes).toHaveLength(1);
  expect(loaded).toEqual([]);

  const spec = z.object({ size: z.int().meta({ "x-kubernetes-validations": rules }) });
  expect(() => defineResource({ ...options, spec })).toThrow(
    "create rules with rule() of typekube/crd/rules, or call await loadRules() first",
  );
  await loadRules();
  expect(loaded).toContain("schema/rules");
  const ruled = defineResource({ ...options, spec });
  expect(ruled.check({ metadata: { name: "a" }, spec: { size: 1 } }).causes).toHaveLength(1);
});
