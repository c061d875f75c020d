import type { KubeObject, SubresourceDescriptors, Verb } from "@typekube/api";
import type {
  ResourceClient as Calls,
  DynamicResourceClient as DynamicCalls,
  UnknownKind,
} from "@typekube/client";
import type { Waiting, WaitingWith } from "@typekube/informer";

/** The client of a resource in one namespace, or of a cluster-wide one: what its verbs allow, and `waitFor`. */
export type ResourceClient<
  T extends KubeObject = KubeObject,
  V extends Verb = Verb,
  Sub extends SubresourceDescriptors = Record<never, never>,
> = Calls<T, V, Sub> & WaitingWith<T, V>;

/** The client of a kind that is found by discovery. */
export type DynamicResourceClient<T extends KubeObject = UnknownKind> = DynamicCalls<T> &
  Waiting<T>;
