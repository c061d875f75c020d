import type { BuiltInKinds, KubeObject, ResourceDescriptor } from "@typekube/api";
import type { KindReference } from "./kind-reference.js";

/** Object type for an apiVersion and kind: the type of a built-in kind, otherwise {@link UnknownKind}. */
export type KindOf<R extends KindReference> = R["apiVersion"] extends keyof BuiltInKinds
  ? R["kind"] extends keyof BuiltInKinds[R["apiVersion"]]
    ? BuiltInKinds[R["apiVersion"]][R["kind"]] extends infer T extends KubeObject
      ? T
      : UnknownKind
    : UnknownKind
  : UnknownKind;

/** An object of a kind that the compiler does not know. */
export interface UnknownKind extends KubeObject {
  [field: string]: unknown;
}

/** Object type of a descriptor, or of a kind given by apiVersion and kind. */
export type ObjectAt<R extends KindReference> =
  R extends ResourceDescriptor<infer T> ? T : KindOf<R>;

/** Object type of a descriptor; for a union of descriptors, the union of their object types. */
export type ObjectOf<D extends ResourceDescriptor> =
  D extends ResourceDescriptor<infer T> ? T : never;
