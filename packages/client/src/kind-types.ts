import type { BuiltInKinds, KubeObject, ResourceDescriptor } from "@typekube/api";
import type { KindReference } from "./discovery/kind-reference.js";

/** A kind by its names: the object type of a built-in one is known, any other is a plain object. */
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

/** The objects of a descriptor; of several, one of theirs. */
export type ObjectOf<D extends ResourceDescriptor> =
  D extends ResourceDescriptor<infer T> ? T : never;
