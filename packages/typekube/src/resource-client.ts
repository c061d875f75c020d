import type {
  KubeObject,
  SubresourceDescriptor,
  SubresourceDescriptors,
  Verb,
} from "@typekube/api";
import type { ResourceMethods, UnknownKind, VerbMethods, ViewMethods } from "@typekube/client";
import type { WaitingWith } from "@typekube/informer";
import type { NamingWith } from "./pods/with-pods.js";

/** The client of a resource in one namespace, or of a cluster-wide resource: the methods that its verbs allow. */
export type ResourceClient<
  T extends KubeObject = KubeObject,
  V extends Verb = Verb,
  Sub extends SubresourceDescriptors = Record<never, never>,
> = ResourceMethods<T, V, Sub> & WaitingWith<T, V> & NamingWith<T>;

/** The client of a namespaced resource over all namespaces. `create` takes the namespace from the object. */
export type AllNamespacesClient<
  T extends KubeObject = KubeObject,
  V extends Verb = Verb,
> = VerbMethods<T, Extract<V, "create" | "list" | "watch">> &
  ViewMethods<T, Extract<V, "list" | "watch">>;

/** Client of a kind that is found by discovery, or known only at run time. */
export type DynamicResourceClient<T extends KubeObject = UnknownKind> = ResourceClient<
  T,
  Verb,
  CommonSubresources<T>
>;

/** Subresources offered for every kind, since any kind may have them. */
// A type alias, because an interface that extends SubresourceDescriptors would inherit its index signature.
type CommonSubresources<T> = {
  readonly status: SubresourceDescriptor<T, "get" | "patch" | "update">;
  readonly scale: SubresourceDescriptor<UnknownKind, "get" | "patch" | "update">;
};
