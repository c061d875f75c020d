import { getOwn, isJsonObject, type JsonObject, jsonEqual, keysOf } from "./json-value.js";

/** One operation of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: unknown }
  | { readonly op: "copy" | "move"; readonly from: string; readonly path: string }
  | { readonly op: "remove"; readonly path: string };

/** Options of {@link jsonPatchBetween}. */
export interface JsonPatchBetweenOptions {
  /**
   * Put a `test` before each operation: what is replaced or removed must be what it was, and a key that is added must not be
   * there (API servers take a test for null for that). Default false.
   */
  readonly testValues?: boolean | undefined;
}

/**
 * The operations that make one object of another. Lists are compared from both ends, so that an item put in or taken out is
 * one operation; of what is left between, places are compared one by one.
 *
 * @returns nothing where the two are equal. Values are not copied.
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

/** Takes an operation and what must be at its place before; `undefined` where that cannot be tested. */
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

/** A JSON pointer (RFC 6901) one step further. */
function below(path: string, key: string): string {
  return `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
