import { startApiServer } from "@typekube/apiserver";
import { call, configMaps, createConfigMaps, jsonPatch } from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import {
  applyJsonPatch,
  maxCopiedBytes,
} from "../../../packages/apiserver/src/phases/patch/json-patch.js";
import { applyStrategicMergePatch } from "../../../packages/apiserver/src/phases/patch/strategic-merge-patch.js";
import { maxNesting } from "../../../packages/apiserver/src/request/body-nesting.js";
import { untyped } from "../../../packages/apiserver/src/schema/schema-node.js";

describe("growth by patches", () => {
  test("copies in a JSON patch add at most 3 MiB, counted as bytes of JSON", () => {
    const copies = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ op: "copy", from: "/a", path: `/c${at}` }));
    const a = "é".repeat((maxCopiedBytes - 8) / 4 - 1);
    expect(applyJsonPatch({ a }, copies(2))).toEqual({ a, c0: a, c1: a });
    expect(() => applyJsonPatch({ a: `${a}é` }, copies(3))).toThrow("copies add");
    const doubling = Array.from({ length: 40 }, (_, at) => ({
      op: "copy",
      from: "",
      path: `/c${at}`,
    }));
    expect(() => applyJsonPatch({ a: "x".repeat(100) }, doubling)).toThrow("copies add");
  });

  test("copies in a JSON patch nest values at most 2,000 levels deep", () => {
    const nested = (times: number) =>
      Array.from({ length: times }, (_, at) => ({
        op: "copy",
        from: "/a",
        path: `/a${"/a".repeat(2 ** at)}`,
      }));
    expect(applyJsonPatch({ a: {} }, nested(10))).toHaveProperty("a.a.a.a");
    expect(() => applyJsonPatch({ a: {} }, nested(11))).toThrow(`nested deeper than ${maxNesting}`);
  });

  test("rejects a JSON patch that nests values too deep for the stack with 422", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    const patch: object[] = [{ op: "add", path: "/data", value: { a: {} } }];
    for (let depth = 1; depth <= 65_536; depth *= 2) {
      patch.push({ op: "copy", from: "/data/a", path: `/data/a${"/a".repeat(depth)}` });
    }
    const { status } = await call(api, "PATCH", `${configMaps}/a`, patch, jsonPatch);
    expect(status).toBe(422);
  });

  test("a strategic merge patch reads each item's key only a few times, however long the list is", () => {
    let reads = 0;
    const item = (name: number) => ({
      get name() {
        reads += 1;
        return name;
      },
    });
    const list = { patchStrategy: "merge", patchMergeKey: "name" };
    const node = { form: "struct", field: () => ({ node: untyped, schema: list }) } as never;
    const items = (count: number, from = 0) =>
      Array.from({ length: count }, (_, at) => item(from + at));
    const patched = applyStrategicMergePatch({ x: items(1_000) }, { x: items(1_000, 500) }, node);
    expect((patched as { x: unknown[] }).x).toHaveLength(1_500);
    expect(reads).toBeLessThan(20 * 2_000);
  });

  test("items with the same key are merged into the first, and deleted together", () => {
    const list = { patchStrategy: "merge", patchMergeKey: "name" };
    const node = { form: "struct", field: () => ({ node: untyped, schema: list }) } as never;
    const target = { x: [{ name: 1, a: 1 }, { name: 1, a: 2 }, { name: 2 }] };
    const merged = { x: [{ name: 1, b: 3 }, { name: 3 }, { name: 3, c: 1 }] };
    expect(applyStrategicMergePatch(target, merged, node)).toEqual({
      x: [{ name: 1, a: 1, b: 3 }, { name: 1, a: 2 }, { name: 3, c: 1 }, { name: 2 }],
    });
    const deleted = {
      x: [
        { name: 1, $patch: "delete" },
        { name: 1, d: 1 },
      ],
    };
    expect(applyStrategicMergePatch(target, deleted, node)).toEqual({
      x: [{ name: 1, d: 1 }, { name: 2 }],
    });
  });
});
