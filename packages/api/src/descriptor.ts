import type { ListMeta, ObjectMeta } from "./generated/kinds/meta/v1.js";

/** Fields common to all API objects. Names and shapes are those of the API's JSON. */
export interface KubeObject {
  apiVersion?: string | undefined;
  kind?: string | undefined;
  metadata?: ObjectMeta | undefined;
}

/** A list response. Its kind is the item kind plus `List`. */
export interface KubeList<T> {
  apiVersion: string;
  kind: string;
  metadata: ListMeta;
  items: T[];
}

/**
 * An object returned by a server: the fields that the server always sets are required. A `Live<Pod>` is a `Pod`, so it
 * is accepted wherever a `Pod` is.
 */
export type Live<T extends KubeObject> = T & {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    uid: string;
    resourceVersion: string;
    creationTimestamp: string;
  };
};

/** Scope of a resource: its objects live in a namespace or in the cluster. */
export type Scope = "Cluster" | "Namespaced";

/** Verbs that discovery lists, in the API's spelling. */
export type Verb =
  | "create"
  | "delete"
  | "deletecollection"
  | "get"
  | "list"
  | "patch"
  | "update"
  | "watch";

/** Lifecycle of a kind, by Kubernetes minor release ("1.21"). */
export interface Lifecycle {
  /** First minor release that serves the kind, such as `1.9`. */
  readonly introduced?: string | undefined;
  /** First release in which the kind is deprecated. */
  readonly deprecated?: string | undefined;
  /** First release that no longer serves the kind. */
  readonly removed?: string | undefined;
  /** Kind that replaces this one. */
  readonly replacedBy?: { readonly apiVersion: string; readonly kind: string } | undefined;
}

/** Binds an object type to a descriptor at compile time; never present at run time. */
declare const objectType: unique symbol;

/** Describes a subresource: the kind of its body and its verbs. */
export interface SubresourceDescriptor<T = unknown, V extends Verb = Verb> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly verbs: readonly V[];
  readonly [objectType]?: T;
}

/** Subresources by name: `status`, `scale`, `log` ... */
export type SubresourceDescriptors = Readonly<Record<string, SubresourceDescriptor>>;

/**
 * Describes a resource to a client: its URL, scope, verbs and subresources, and the object type it carries. Each
 * built-in kind has one, exported under the name of its interface.
 *
 * `defineResource` of the package `typekube` makes the descriptor of a custom resource. One that is written by hand is
 * annotated with this type, including its subresources: `satisfies` would lose the object type.
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
  /** `group/version`; only the version for the core group. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Kind of the list; absent for resources that cannot be listed. */
  readonly listKind?: string;
  /** Resource name in URLs: `pods`. */
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: S;
  readonly verbs: readonly V[];
  readonly subresources: Sub;
  /** `true` when the server serves the resource as protobuf; `false` for custom and aggregated resources. */
  readonly protobuf: boolean;
  /** Link to the upstream reference page. */
  readonly reference?: string;
  readonly lifecycle?: Lifecycle;
  readonly [objectType]?: T;
}
