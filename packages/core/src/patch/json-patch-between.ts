import { getOwn, isJsonObject, type JsonObject, jsonEqual, keysOf } from "../objects/json-value.js";

/** One operation of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: unknown }
  | { readonly op: "copy" | "move"; readonly from: string; readonly path: string }
  | { readonly op: "remove"; readonly path: string };

/** Options of {@link jsonPatchBetween}. */
export interface JsonPatchBetweenOptions {
  /**
   * Adds a `test` before each operation: a value that is replaced or removed must be unchanged, and a key that is added
   * must be absent (API servers accept a test for null for that). Default false.
   */
  readonly testValues?: boolean | undefined;
}

/**
 * Returns the operations that turn one object into another. Lists are compared from both ends, so that an inserted or
 * removed item is one operation; positions in between are compared one by one.
 *
 * @returns an empty array when the two are equal. Values are not copied.
 */
export function jsonPatchBetween(
  before: object,
  after: object,
  { testValues = false }: JsonPatchBetweenOptions = {},
): JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  const tell: Tell = (operation, old) => {
    if (testValues && old !== undefined) {
      operations.push({ op: "test", path: operation.path, value: old });
    }
    operations.push(operation);
  };
  compare(before, after, "", tell);
  return operations;
}

/** Receives an operation and the value that must be at its path before; `undefined` when that cannot be tested. */
type Tell = (operation: JsonPatchOperation, old: unknown) => void;

function compare(before: unknown, after: unknown, path: string, tell: Tell): void {
  if (isJsonObject(before) && isJsonObject(after)) {
    compareObjects(before, after, path, tell);
  } else if (Array.isArray(before) && Array.isArray(after)) {
    compareLists(before, after, path, tell);
  } else if (!jsonEqual(before, after)) {
    tell({ op: "replace", path, value: after }, before);
  }
}

function compareObjects(before: JsonObject, after: JsonObject, path: string, tell: Tell): void {
  for (const key of keysOf(before)) {
    if (getOwn(after, key) === undefined) {
      tell({ op: "remove", path: below(path, key) }, before[key]);
    }
  }
  for (const key of keysOf(after)) {
    const old = getOwn(before, key);
    if (old === undefined) {
      tell({ op: "add", path: below(path, key), value: after[key] }, null);
    } else {
      compare(old, after[key], below(path, key), tell);
    }
  }
}

function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  tell: Tell,
): void {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && jsonEqual(before[start], after[start])) {
    start += 1;
  }
  let same = 0;
  while (same < shorter - start && jsonEqual(before.at(-1 - same), after.at(-1 - same))) {
    same += 1;
  }
  for (let at = start; at < shorter - same; at++) {
    compare(before[at], after[at] ?? null, `${path}/${at}`, tell);
  }
  for (let at = before.length - same - 1; at >= shorter - same; at--) {
    tell({ op: "remove", path: `${path}/${at}` }, before[at]);
  }
  for (let at = shorter - same; at < after.length - same; at++) {
    tell({ op: "add", path: `${path}/${at}`, value: after[at] ?? null }, undefined);
  }
}

/** Appends a key to a JSON pointer (RFC 6901). */
function below(path: string, key: string): string {
  return `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
