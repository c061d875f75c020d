import { stringifyJson } from "@typekube/core/internal";
import {
  cloneJson,
  isJsonObject,
  type JsonObject,
  jsonEqual,
  setOwn,
} from "../../objects/json-value.js";
import { maxNesting } from "../../request/body-nesting.js";

/** An operation of a JSON patch. */
export interface JsonPatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from?: string | undefined;
  readonly value?: unknown;
}

/**
 * Maximum bytes of JSON that the `copy` operations of one patch may add in total (`JSONPatchMaxCopyBytes` of real
 * servers).
 */
export const maxCopiedBytes: number = 3 * 1024 * 1024;

/** Thrown when a JSON patch can't be applied. The message is that of evanphx/json-patch. */
export class JsonPatchError extends Error {
  override readonly name = "JsonPatchError";
}

/** Thrown when a `test` operation finds another value. */
export class JsonPatchTestFailed extends JsonPatchError {}

/** Thrown when the object or list that an operation is about does not exist. */
class MissingPath extends Error {}

/** Thrown when an operation is not possible in its object or list. */
class ImpossibleChange extends Error {}

/**
 * Applies a JSON patch (RFC 6902) like API servers (evanphx/json-patch): a `test` for null succeeds when the key is
 * missing, `replace` adds a missing key, `copy` from a missing key copies null, negative indexes count from the end,
 * and all keys are ordinary, including `__proto__`.
 *
 * @throws {JsonPatchError} for an operation that can't be applied, and when copies add more than {@link
 * maxCopiedBytes}: copying the document into itself doubles it.
 */
export function applyJsonPatch(
  target: unknown,
  operations: readonly JsonPatchOperation[],
): unknown {
  let document = cloneJson(target);
  const copied = { bytes: 0 };
  for (const operation of operations) {
    document = applyExplained(document, operation, copied);
  }
  assertDepth(document);
  return document;
}

/** Checks the nesting of the result: copying a value into itself doubles its depth. */
function assertDepth(document: unknown): void {
  let level = [document];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxNesting) {
      throw new JsonPatchError(`the result is nested deeper than ${maxNesting}`);
    }
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  }
}

/** Applies an operation; its errors name the operation and the path. */
function applyExplained(
  document: unknown,
  operation: JsonPatchOperation,
  copied: { bytes: number },
): unknown {
  try {
    return applyOperation(document, operation, copied);
  } catch (error) {
    if (error instanceof MissingPath) {
      throw new JsonPatchError(`${missingText(operation)}: missing value`);
    }
    if (error instanceof ImpossibleChange) {
      const { op, path } = operation;
      throw new JsonPatchError(`error in ${op} for path: '${path}': ${error.message}`);
    }
    throw error;
  }
}

function missingText({ op, path, from = "" }: JsonPatchOperation): string {
  const start = `${op} operation does not apply:`;
  switch (op) {
    case "add":
    case "remove":
      return `${start} doc is missing path: "${path}"`;
    case "test":
      return `${start} is missing path: ${path}`;
    case "copy":
    case "move":
      return `${start} doc is missing from path: ${from}`;
    default:
      return `${start} doc is missing path: ${path}`;
  }
}

function applyOperation(
  document: unknown,
  { op, path, from, value }: JsonPatchOperation,
  copied: { bytes: number },
): unknown {
  const at = parsePointer(path);
  switch (op) {
    case "add":
      return add(document, at, cloneJson(value));
    case "remove":
      return remove(document, at);
    case "replace":
      return replace(document, at, cloneJson(value));
    case "move": {
      const source = parsePointer(from ?? "");
      const moved = get(document, source);
      return add(remove(document, source), at, moved);
    }
    case "copy": {
      const source = getOrNull(document, parsePointer(from ?? ""));
      copied.bytes += bytesOf(source);
      if (copied.bytes > maxCopiedBytes) {
        throw new JsonPatchError(
          `copies add ${copied.bytes} bytes, and the limit is ${maxCopiedBytes}`,
        );
      }
      return add(document, at, cloneJson(source));
    }
    case "test":
      assertEqual(document, at, value, path);
      return document;
    default:
      throw new JsonPatchError(`Unexpected kind: ${op}`);
  }
}

/** Returns the encoded size of a value in Go, which escapes characters that are special in HTML. */
function bytesOf(value: unknown): number {
  const text = stringifyJson(value);
  const escaped = text.match(/[<>&\u2028\u2029]/g) ?? [];
  const more = escaped.reduce((sum, rune) => sum + 6 - Buffer.byteLength(rune), 0);
  return Buffer.byteLength(text) + more;
}

function parsePointer(pointer: string): string[] {
  if (pointer === "") {
    return [];
  }
  // Text before the first slash is silently ignored.
  const [, ...parts] = pointer.split("/");
  if (parts.length === 0) {
    throw new JsonPatchError(`"${pointer}" is not a JSON pointer`);
  }
  return parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function get(document: unknown, path: readonly string[]): unknown {
  let current = document;
  for (const part of path) {
    if (Array.isArray(current)) {
      current = current[indexOf(current, part, current.length - 1)];
    } else if (isJsonObject(current) && Object.hasOwn(current, part)) {
      current = current[part];
    } else {
      throw new MissingPath();
    }
  }
  return current;
}

/** Returns the value at a path; null for a missing key of an existing object. */
function getOrNull(document: unknown, path: readonly string[]): unknown {
  const parent = get(document, path.slice(0, -1));
  const last = path.at(-1);
  const missing = last !== undefined && isJsonObject(parent) && !Object.hasOwn(parent, last);
  return missing ? null : get(document, path);
}

/** Replaces a value. A missing key is added; an index must exist. */
function replace(document: unknown, path: readonly string[], value: unknown): unknown {
  const last = path.at(-1);
  const parent = last === undefined ? undefined : get(document, path.slice(0, -1));
  if (last === undefined || isJsonObject(parent)) {
    return add(document, path, value);
  }
  get(document, path);
  return add(remove(document, path), path, value);
}

function assertEqual(
  document: unknown,
  path: readonly string[],
  value: unknown,
  shown: string,
): void {
  if (!jsonEqual(getOrNull(document, path), value ?? null)) {
    throw new JsonPatchTestFailed(`testing value ${shown} failed: test failed`);
  }
}

function add(document: unknown, path: readonly string[], value: unknown): unknown {
  const last = path.at(-1);
  if (last === undefined) {
    return value;
  }
  const parent = get(document, path.slice(0, -1));
  if (Array.isArray(parent)) {
    parent.splice(last === "-" ? parent.length : indexOf(parent, last, parent.length), 0, value);
  } else if (isJsonObject(parent)) {
    setOwn(parent, last, value);
  } else {
    throw new MissingPath();
  }
  return document;
}

function remove(document: unknown, path: readonly string[]): unknown {
  const last = path.at(-1);
  if (last === undefined) {
    return null;
  }
  const parent = get(document, path.slice(0, -1));
  if (Array.isArray(parent)) {
    parent.splice(indexOf(parent, last, parent.length - 1), 1);
  } else if (isJsonObject(parent) && Object.hasOwn(parent, last)) {
    delete (parent as JsonObject)[last];
  } else {
    throw new ImpossibleChange(`Unable to remove nonexistent key: ${last}: missing value`);
  }
  return document;
}

function indexOf(list: readonly unknown[], part: string, max: number): number {
  if (!/^-?\d+$/.test(part)) {
    throw new ImpossibleChange(`strconv.Atoi: parsing ${JSON.stringify(part)}: invalid syntax`);
  }
  const given = Number(part);
  const index = given < 0 ? given + max + 1 : given;
  if (index < 0 || index > max || (given < 0 && -given > list.length)) {
    throw new ImpossibleChange(`Unable to access invalid index: ${part}: invalid index referenced`);
  }
  return index;
}
