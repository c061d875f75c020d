import { startApiServer } from "@typekube/apiserver";
import { call } from "@typekube/test-support/api-calls";
import type { CustomResourceDefinition } from "typekube/api/apiextensions/v1";
import { expect, test, vi } from "vitest";

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
vi.mock(import("../../cel/src/re2/index.js"), async (original) => {
  loaded.push("cel/re2");
  return original();
});
vi.mock(import("../../schema/src/rules.js"), async (original) => {
  loaded.push("schema/rules");
  return original();
});

test("VS4: load() of a definition loads the code of its rules and patterns, so its objects are checked", async () => {
  await using api = await startApiServer();
  expect(loaded).toEqual([]);
  const size = {
    type: "string" as const,
    pattern: "^[a-z]$",
    "x-kubernetes-validations": [{ rule: "self != 'b'" }],
  };
  const openAPIV3Schema = { type: "object" as const, properties: { size } };
  const definition: CustomResourceDefinition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "letters.example.com" },
    spec: {
      group: "example.com",
      scope: "Cluster",
      names: { plural: "letters", kind: "Letter" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
  await api.load([definition]);
  expect(loaded.sort()).toEqual(["cel", "cel/internal", "cel/re2", "schema/rules"]);
  const object = {
    apiVersion: "example.com/v1",
    kind: "Letter",
    metadata: { name: "b" },
    size: "b",
  };
  const { body } = await call(api, "POST", "/apis/example.com/v1/letters", object);
  expect(body.message).toMatch(/failed rule: self != 'b'/);
});
