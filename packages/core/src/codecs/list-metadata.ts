import { isStatus } from "../status.js";
import { errorFromStatus } from "../status-error.js";
import { decodeError } from "./decode-error.js";

/** The kind of a list's items: what is left of the list's kind without `List`. A plain `List` has items of any kind. */
export function itemKind(listKind: string | undefined): string | undefined {
  return listKind?.endsWith("List") ? listKind.slice(0, -"List".length) || undefined : undefined;
}

/** The error for a body that stands where a list was expected. */
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
 * Gives an item of a list what a single object has and list items lack on the wire: its kind and apiVersion, in
 * the place where a single object has them. What an item says itself it keeps.
 */
export function withTypeMeta(
  item: unknown,
  apiVersion: string | undefined,
  kind: string | undefined,
): unknown {
  const isObject = typeof item === "object" && item !== null && !Array.isArray(item);
  if (kind === undefined || !isObject || ("kind" in item && "apiVersion" in item)) {
    return item;
  }
  return { kind, apiVersion, ...item };
}
