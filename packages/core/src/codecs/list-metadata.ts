import { isStatus } from "../errors/status.js";
import { errorFromStatus } from "../errors/status-error.js";
import type { ListMeta } from "../objects/api-types.js";
import { isJsonObject } from "../objects/json-value.js";
import { decodeError } from "./decode-error.js";

/** Fields around the items of a list. */
export interface ListHead {
  readonly apiVersion: string | undefined;
  readonly kind: string | undefined;
  readonly metadata: ListMeta | undefined;
}

/**
 * Returns the kind, apiVersion and metadata of a list. `null` counts as absent, as in Go.
 *
 * @throws {KubeError} `Decode` when one of them has a wrong type: Go's decoders reject such a list too.
 */
export function listHead(body: Readonly<Record<string, unknown>>): ListHead {
  const apiVersion = textField(body, "apiVersion");
  const kind = textField(body, "kind");
  const metadata = body["metadata"] ?? undefined;
  if (metadata !== undefined) {
    if (!isJsonObject(metadata)) {
      throw wrongType("metadata", "an object", metadata);
    }
    textField(metadata, "resourceVersion");
    textField(metadata, "continue");
  }
  return { apiVersion, kind, metadata };
}

function textField(object: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = object[name] ?? undefined;
  if (value !== undefined && typeof value !== "string") {
    throw wrongType(name, "a string", value);
  }
  return value;
}

function wrongType(field: string, expected: string, value: unknown): Error {
  const found = Array.isArray(value) ? "array" : typeof value;
  return decodeError(`the ${field} of the list must be ${expected}, not of type ${found}`);
}

/** Returns the kind of a list's items: the list's kind without `List`. A plain `List` has items of any kind. */
export function itemKind(listKind: string | undefined): string | undefined {
  return listKind?.endsWith("List") ? listKind.slice(0, -"List".length) || undefined : undefined;
}

/** Returns the error for a body that is not a list: for a failed Status the error it represents. */
export function notAList(body: unknown): Error {
  if (isStatus(body) && body.status !== "Success") {
    return errorFromStatus(body);
  }
  const kind = (body as { kind?: unknown } | null)?.kind;
  return decodeError(
    `expected a list but the body is ${typeof kind === "string" ? `a ${kind}` : "something else"}`,
  );
}

/**
 * Adds kind and apiVersion to an item of a list, which lacks them on the wire, in the place where a single object has
 * them. Keeps those that the item has.
 */
export function withTypeMeta(
  item: unknown,
  apiVersion: string | undefined,
  kind: string | undefined,
): unknown {
  if (kind === undefined || !isJsonObject(item) || ("kind" in item && "apiVersion" in item)) {
    return item;
  }
  return { kind, apiVersion, ...item };
}
