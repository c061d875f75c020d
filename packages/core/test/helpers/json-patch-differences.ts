import {
  applyJsonPatch,
  type JsonPatchOperation,
} from "../../../apiserver/src/phases/patch/json-patch.js";
import { lookUp } from "./json-patch-operations.js";

/** A case in which API servers, and therefore our code, apply an operation differently from fast-json-patch. */
export interface Difference {
  readonly name: string;
  /** Reason to follow the server here. Servers apply patches with evanphx/json-patch. */
  readonly reason: string;
  /** Returns true for the operations that the difference affects. */
  readonly concerns: (document: unknown, operation: JsonPatchOperation) => boolean;
  readonly document: unknown;
  readonly operation: JsonPatchOperation;
  /** The server's result for the example; `undefined` where it rejects the operation. */
  readonly server: { readonly document: unknown } | undefined;
}

/** All known differences. */
export const differences: readonly Difference[] = [
  {
    name: "test for null at a missing key",
    reason: "the server takes a missing key for null",
    concerns: (document, { op, path, value }) =>
      op === "test" && value === null && isMissingKey(document, path),
    document: {},
    operation: { op: "test", path: "/a", value: null },
    server: { document: {} },
  },
  {
    name: "replace of a missing key",
    reason: "the server adds it, where RFC 6902 wants an error",
    concerns: (document, { op, path }) => op === "replace" && isMissingKey(document, path),
    document: {},
    operation: { op: "replace", path: "/a", value: 1 },
    server: { document: { a: 1 } },
  },
  {
    name: "copy from a missing key",
    reason: "the server copies null, where RFC 6902 wants an error",
    concerns: (document, { op, from = "" }) => op === "copy" && isMissingKey(document, from),
    document: {},
    operation: { op: "copy", from: "/a", path: "/b" },
    server: { document: { b: null } },
  },
  {
    name: "negative index",
    reason: "the server counts it from the end of the list, which RFC 6902 does not know",
    concerns: hasOddIndex,
    document: { a: [1, 2, 3] },
    operation: { op: "remove", path: "/a/-1" },
    server: { document: { a: [1, 2] } },
  },
  {
    name: "index with a zero in front",
    reason: "the server reads it as a number, where RFC 6902 wants an error",
    concerns: hasOddIndex,
    document: { a: [1, 2] },
    operation: { op: "test", path: "/a/-01", value: 2 },
    server: { document: { a: [1, 2] } },
  },
  {
    name: "move or copy to a place that does not exist",
    reason:
      "the server refuses it, as RFC 6902 wants; fast-json-patch leaves a hole in a list or sets a property of a scalar",
    concerns: isNoPlace,
    document: { a: [1], b: 2 },
    operation: { op: "move", from: "/b", path: "/a/5" },
    server: undefined,
  },
  {
    name: "move of the document into itself",
    reason: "the server refuses it, as RFC 6902 wants; fast-json-patch makes a circle",
    concerns: (_, { op, path, from }) => op === "move" && from === "" && path !== "",
    document: {},
    operation: { op: "move", from: "", path: "/a" },
    server: undefined,
  },
  {
    name: "key __proto__",
    reason: "the server takes it for a key like any other",
    concerns: (_, { path, from = "" }) => `${path}${from}/`.includes("/__proto__/"),
    document: {},
    operation: { op: "add", path: "/__proto__", value: 1 },
    server: { document: JSON.parse('{"__proto__":1}') as unknown },
  },
];

/** Returns the name of the difference that affects an operation. */
export function differenceOf(document: unknown, operation: JsonPatchOperation): string | undefined {
  return differences.find(({ concerns }) => concerns(document, operation))?.name;
}

function isMissingKey(document: unknown, path: string): boolean {
  const { parent, found } = lookUp(document, path);
  return parent !== undefined && !Array.isArray(parent) && found === undefined;
}

function hasOddIndex(document: unknown, { op, path, from = "" }: JsonPatchOperation): boolean {
  const place = lookUp(document, path);
  const isEnd = place.key === "-" && Array.isArray(place.parent) && op !== "remove";
  return lookUp(document, from).hasOddIndex || (place.hasOddIndex && !isEnd);
}

function isNoPlace(document: unknown, { op, path, from }: JsonPatchOperation): boolean {
  if ((op !== "move" && op !== "copy") || from === undefined) {
    return false;
  }
  if (op === "move" && lookUp(document, from).found === undefined) {
    return false;
  }
  // A move finds its target after the value was removed from its place.
  const without =
    op === "move" ? applyJsonPatch(document, [{ op: "remove", path: from }]) : document;
  const { parent, key } = lookUp(without, path);
  if (key === undefined || key === "-" || !Array.isArray(parent)) {
    return key !== undefined && parent === undefined;
  }
  return !/^\d+$/.test(key) || Number(key) > parent.length;
}
