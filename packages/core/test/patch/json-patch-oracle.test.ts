import { jsonPatchBetween } from "@typekube/core/internal";
import { seededRandom } from "@typekube/test-support/seeded-random";
import fastJsonPatch from "fast-json-patch";
import { describe, expect, it } from "vitest";
import {
  applyJsonPatch,
  type JsonPatchOperation,
} from "../../../apiserver/src/phases/patch/json-patch.js";
import { differenceOf, differences } from "../helpers/json-patch-differences.js";
import { lookUp, randomObject, randomOperation } from "../helpers/json-patch-operations.js";

/** Returns the patched document, or `undefined` when the patch is rejected. */
function outcome(apply: () => unknown): { readonly document: unknown } | undefined {
  try {
    const document = apply();
    // fast-json-patch returns undefined for a move from a missing place to the root.
    return document === undefined ? undefined : { document };
  } catch {
    return undefined;
  }
}

function ours(document: unknown, operations: readonly JsonPatchOperation[]) {
  return outcome(() => applyJsonPatch(document, operations));
}

function oracle(document: unknown, operations: readonly JsonPatchOperation[]) {
  const patch = structuredClone(operations) as fastJsonPatch.Operation[];
  return outcome(
    () => fastJsonPatch.applyPatch(structuredClone(document), patch, true, false).newDocument,
  );
}

describe("JSON patches compared with fast-json-patch", () => {
  // RFC 6902, appendix A: the document, the patch and the result; `undefined` where the patch must fail.
  it.each<[string, unknown, readonly JsonPatchOperation[], unknown]>([
    [
      "A.1 adds an object member",
      { foo: "bar" },
      [{ op: "add", path: "/baz", value: "qux" }],
      { baz: "qux", foo: "bar" },
    ],
    [
      "A.2 adds an array element",
      { foo: ["bar", "baz"] },
      [{ op: "add", path: "/foo/1", value: "qux" }],
      { foo: ["bar", "qux", "baz"] },
    ],
    [
      "A.3 removes an object member",
      { baz: "qux", foo: "bar" },
      [{ op: "remove", path: "/baz" }],
      { foo: "bar" },
    ],
    [
      "A.4 removes an array element",
      { foo: ["bar", "qux", "baz"] },
      [{ op: "remove", path: "/foo/1" }],
      { foo: ["bar", "baz"] },
    ],
    [
      "A.5 replaces a value",
      { baz: "qux", foo: "bar" },
      [{ op: "replace", path: "/baz", value: "boo" }],
      { baz: "boo", foo: "bar" },
    ],
    [
      "A.6 moves a value",
      { foo: { bar: "baz", waldo: "fred" }, qux: { corge: "grault" } },
      [{ op: "move", from: "/foo/waldo", path: "/qux/thud" }],
      { foo: { bar: "baz" }, qux: { corge: "grault", thud: "fred" } },
    ],
    [
      "A.7 moves an array element",
      { foo: ["all", "grass", "cows", "eat"] },
      [{ op: "move", from: "/foo/1", path: "/foo/3" }],
      { foo: ["all", "cows", "eat", "grass"] },
    ],
    [
      "A.8 tests values with success",
      { baz: "qux", foo: ["a", 2, "c"] },
      [
        { op: "test", path: "/baz", value: "qux" },
        { op: "test", path: "/foo/1", value: 2 },
      ],
      { baz: "qux", foo: ["a", 2, "c"] },
    ],
    [
      "A.9 tests a value with an error",
      { baz: "qux" },
      [{ op: "test", path: "/baz", value: "bar" }],
      undefined,
    ],
    [
      "A.10 adds a nested member object",
      { foo: "bar" },
      [{ op: "add", path: "/child", value: { grandchild: {} } }],
      { foo: "bar", child: { grandchild: {} } },
    ],
    [
      "A.11 ignores unrecognized elements",
      { foo: "bar" },
      [{ op: "add", path: "/baz", value: "qux", xyz: 123 } as JsonPatchOperation],
      { foo: "bar", baz: "qux" },
    ],
    [
      "A.12 adds to a nonexistent target",
      { foo: "bar" },
      [{ op: "add", path: "/baz/bat", value: "qux" }],
      undefined,
    ],
    [
      "A.14 orders ~ escapes",
      { "/": 9, "~1": 10 },
      [{ op: "test", path: "/~01", value: 10 }],
      { "/": 9, "~1": 10 },
    ],
    [
      "A.15 compares strings and numbers",
      { "/": 9, "~1": 10 },
      [{ op: "test", path: "/~01", value: "10" }],
      undefined,
    ],
    [
      "A.16 adds an array value",
      { foo: ["bar"] },
      [{ op: "add", path: "/foo/-", value: ["abc", "def"] }],
      { foo: ["bar", ["abc", "def"]] },
    ],
  ])("RFC 6902, our result and fast-json-patch's agree: %s", (_, document, patch, expected) => {
    const result = expected === undefined ? undefined : { document: expected };
    expect(ours(document, patch)).toEqual(result);
    expect(oracle(document, patch)).toEqual(result);
  });

  it("RFC 6902, A.13: the last of two ops in an operation counts, as in JSON.parse", () => {
    const text = '[{"op":"add","path":"/baz","value":"qux","op":"remove"}]';
    const patch = JSON.parse(text) as readonly JsonPatchOperation[];
    expect([ours({ foo: "bar" }, patch), oracle({ foo: "bar" }, patch)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it.each(differences)(
    "differs intentionally: $name ($reason)",
    ({ document, operation, server }) => {
      const expected = server === undefined ? undefined : { document: server.document };
      expect(ours(document, [operation])).toEqual(expected);
      expect(oracle(document, [operation])).not.toEqual(expected);
    },
  );

  it("20,000 random operations give the same result, except for the listed differences", () => {
    const random = seededRandom(6902);
    const counts = { applied: 0, refused: 0 };
    const differing = new Map<string, number>();
    for (let documents = 0; documents < 2_000; documents++) {
      let document: unknown = randomObject(random, 3);
      for (let operations = 0; operations < 10; operations++) {
        const operation = randomOperation(random, document);
        const mine = ours(document, [operation]);
        const name = differenceOf(document, operation);
        if (name === undefined) {
          const theirs = oracle(document, [operation]);
          expect(mine, JSON.stringify({ document, operation })).toEqual(theirs);
          counts[mine === undefined ? "refused" : "applied"]++;
        } else {
          differing.set(name, (differing.get(name) ?? 0) + 1);
        }
        document = mine?.document ?? document;
      }
    }
    console.log("operations beside fast-json-patch:", counts, Object.fromEntries(differing));
    expect(counts.applied).toBeGreaterThan(5_000);
    expect([...differing.keys()]).toContain("replace of a missing key");
    expect(counts.refused).toBeGreaterThan(1_000);
  });

  it("applies the patches of jsonPatchBetween for 5,000 random pairs, with and without tests", () => {
    const random = seededRandom(5_000);
    for (let pair = 0; pair < 5_000; pair++) {
      const before = randomObject(random, 3);
      const after = randomObject(random, 3);
      const patch = jsonPatchBetween(before, after);
      expect(oracle(before, patch), JSON.stringify({ before, after })).toEqual({ document: after });
      // A test for null at a missing key is one of the differences.
      const tested = jsonPatchBetween(before, after, { testValues: true }).filter(
        ({ op, path }) => op !== "test" || lookUp(before, path).found !== undefined,
      );
      expect(ours(before, tested)).toEqual({ document: after });
    }
  });
});
