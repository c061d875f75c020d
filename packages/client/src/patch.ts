import { mediaTypes } from "@typekube/core";

/** A patch and the media type that says how the server reads it. */
export interface Patch<
  Kind extends "json" | "merge" | "strategic" = "json" | "merge" | "strategic",
> {
  readonly kind: Kind;
  readonly mediaType: string;
  readonly body: unknown;
}

/** One operation of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: unknown }
  | { readonly op: "copy" | "move"; readonly from: string; readonly path: string }
  | { readonly op: "remove"; readonly path: string };

/** A deep copy of a type in which everything may be left out, and `null` removes. */
export type MergePatchOf<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: MergePatchOf<T[K]> | null | undefined }
    : T;

/** A JSON patch: operations in order, all or none. */
export function json(operations: readonly JsonPatchOperation[]): Patch<"json"> {
  return { kind: "json", mediaType: mediaTypes.jsonPatch, body: operations };
}

/** A merge patch (RFC 7386): what is there replaces, `null` removes, lists are replaced whole. */
export function merge<T = unknown>(patch: MergePatchOf<T>): Patch<"merge"> {
  return { kind: "merge", mediaType: mediaTypes.mergePatch, body: patch };
}

/**
 * A strategic merge patch: like a merge patch, but lists with a merge key are merged item by item. For built-in kinds
 * only; servers refuse it for custom resources.
 */
export function strategic<T = unknown>(patch: MergePatchOf<T>): Patch<"strategic"> {
  return { kind: "strategic", mediaType: mediaTypes.strategicMergePatch, body: patch };
}
