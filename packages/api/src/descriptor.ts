import type { ListMeta, ObjectMeta } from "./generated/kinds/meta/v1.js";

/** What every API object has. All fields keep the names and shapes of the wire. */
export interface KubeObject {
  apiVersion?: string | undefined;
  kind?: string | undefined;
  metadata?: ObjectMeta | undefined;
}

/** A collection as the server answers it: its kind is the item kind plus `List`. */
export interface KubeList<T> {
  apiVersion: string;
  kind: string;
  metadata: ListMeta;
  items: T[];
}

/**
 * An object that came from a server: what the server always sets is not optional.
 * A `Live<Pod>` is a `Pod`, so it goes wherever a `Pod` goes.
 */
export type Live<T extends KubeObject> = T & {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta & {
    name: string;
    uid: string;
    resourceVersion: string;
    creationTimestamp: string;
  };
};

/** Whether objects of a resource live in a namespace. */
export type Scope = "Cluster" | "Namespaced";

/** The verbs that discovery lists, in the API's own words. */
export type Verb =
  | "create"
  | "delete"
  | "deletecollection"
  | "get"
  | "list"
  | "patch"
  | "update"
  | "watch";

/** Stages of a kind's life, by Kubernetes minor release ("1.21"). */
export interface Lifecycle {
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly removed?: string;
  readonly replacedBy?: { readonly apiVersion: string; readonly kind: string };
}

/** Carries an object type through a descriptor for the compiler; never present at run time. */
declare const objectType: unique symbol;

/** A subresource: the kind of its body and what can be done with it. */
export interface SubresourceDescriptor<T = unknown, V extends Verb = Verb> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly verbs: readonly V[];
  readonly [objectType]?: T;
}

/** Subresources by name: `status`, `scale`, `log` ... */
export type SubresourceDescriptors = Readonly<Record<string, SubresourceDescriptor>>;

/**
 * What a client must know of a resource: where it lives, what can be done with it, and which
 * object type it carries. Each built-in kind has one, exported under the name of its interface.
 *
 * One of your own is annotated with this type, subresources and all: `satisfies` would leave out which object type it carries.
 *
 * @example
 * type Sub = { status: SubresourceDescriptor<Backup, "get" | "patch" | "update"> };
 * const Backup: ResourceDescriptor<Backup, "Namespaced", Verb, Sub> = { ... };
 */
export interface ResourceDescriptor<
  T extends KubeObject = KubeObject,
  S extends Scope = Scope,
  V extends Verb = Verb,
  Sub extends SubresourceDescriptors = SubresourceDescriptors,
> {
  /** API group; empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** `group/version`, or just the version for the core group. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Kind of the collection; absent for resources that cannot be listed. */
  readonly listKind?: string;
  /** The name in URLs: `pods`. */
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: S;
  readonly verbs: readonly V[];
  readonly subresources: Sub;
  /** Whether the server speaks protobuf for it; false for custom and aggregated resources. */
  readonly protobuf: boolean;
  /** Link to the upstream reference page. */
  readonly reference?: string;
  readonly lifecycle?: Lifecycle;
  readonly [objectType]?: T;
}
