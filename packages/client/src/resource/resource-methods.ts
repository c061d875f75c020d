import type { SentWhole, Unprojected } from "@typekube/core/internal";
import type { GetOptions } from "../options/get-options.js";
import type { ApplyOptions, ModifyOptions, WriteOptions } from "../options/write-options.js";
import type { PodCalls } from "../pods/pod-calls.js";
import type {
  KubeObject,
  Live,
  PartialObjectMetadata,
  SubresourceDescriptor,
  SubresourceDescriptors,
  Verb,
} from "../types/api-types.js";
import type { Applied } from "../types/applied.js";
import type { ObjectChange } from "../write/modify.js";
import type { Getting, Listing, TablesOfMany, TablesOfOne, Watching } from "./reading-methods.js";
import type {
  Creating,
  Deleting,
  DeletingCollections,
  Modifying,
  PatchFor,
  Patching,
  PatchingMetadata,
  Updating,
} from "./writing-methods.js";

/** Reads the metadata of objects without the rest, for a fraction of the bytes and the memory. */
export interface ViewingMetadata<V extends Verb> {
  /** Returns a client of the same resource that sees the metadata of its objects only. */
  metadata(): MetadataClient<V>;
}

type When<Has extends boolean, Methods> = Has extends true ? Methods : unknown;
type HasVerb<V extends Verb, Wanted extends Verb> = Wanted extends V ? true : false;

/** Methods of a resource client, by the verbs of the resource. A verb that the server does not serve has no method. */
export type VerbMethods<T extends KubeObject, V extends Verb> = When<
  HasVerb<V, "get">,
  Getting<T>
> &
  When<HasVerb<V, "list">, Listing<T>> &
  When<HasVerb<V, "watch">, Watching<T>> &
  When<HasVerb<V, "create">, Creating<T>> &
  When<HasVerb<V, "update">, Updating<T>> &
  When<HasVerb<V, "get">, When<HasVerb<V, "update">, Modifying<T>>> &
  When<HasVerb<V, "patch">, Patching<T>> &
  When<HasVerb<V, "delete">, Deleting<T>> &
  When<HasVerb<V, "deletecollection">, DeletingCollections<T>>;

/** Client of a resource that sees only the metadata of the objects. */
export type MetadataClient<V extends Verb = Verb> = VerbMethods<
  PartialObjectMetadata,
  Extract<V, "delete" | "deletecollection" | "get" | "list" | "watch">
> &
  When<HasVerb<V, "patch">, PatchingMetadata>;

/** Other views of a resource, for resources whose objects can be read. */
export type ViewMethods<T extends KubeObject, V extends Verb> = When<
  HasVerb<V, "list">,
  TablesOfMany<T>
> &
  When<HasVerb<V, "get">, TablesOfOne<T>> &
  When<Extract<V, "get" | "list" | "watch"> extends never ? false : true, ViewingMetadata<V>>;

/** Subresources that are streams or proxies, not objects. */
export type StreamingSubresource = "attach" | "exec" | "log" | "portforward" | "proxy";

/** Calls into one object, by name. */
export interface NamingPods {
  /**
   * Returns the calls into one pod: commands, logs, ports, files. Sends nothing.
   *
   * @throws {KubeError} `InvalidArgument` for a name that no object can have.
   */
  named(name: string): PodCalls;
}

/** Response of a subresource: the live object when the body is the object itself (`status`), otherwise the body. */
type SubresourceResponse<T extends KubeObject, Body> = [Body, T] extends [T, Body] ? Live<T> : Body;

/** Body of a subresource in a write. Only one that is the object itself can lose fields of the object. */
type SubresourceBody<T extends KubeObject, Body> = [Body, T] extends [T, Body]
  ? Body & SentWhole
  : Body;

/** The same of an apply. */
type AppliedBody<T extends KubeObject, Body> = Applied<Body> &
  ([Body, T] extends [T, Body] ? SentWhole : Unprojected);

type SubresourceMethods<
  T extends KubeObject,
  Body,
  V extends Verb,
  Result = SubresourceResponse<T, Body>,
> = When<HasVerb<V, "get">, { get(name: string, options?: GetOptions): Promise<Result> }> &
  When<
    HasVerb<V, "create">,
    {
      create(name: string, body: SubresourceBody<T, Body>, options?: WriteOptions): Promise<Result>;
    }
  > &
  When<
    HasVerb<V, "update">,
    {
      update(name: string, body: SubresourceBody<T, Body>, options?: WriteOptions): Promise<Result>;
    }
  > &
  When<
    HasVerb<V, "get">,
    When<
      HasVerb<V, "update">,
      {
        modify(
          name: string,
          change: ObjectChange<Result, SubresourceBody<T, Body>>,
          options?: ModifyOptions,
        ): Promise<Result>;
      }
    >
  > &
  When<
    HasVerb<V, "patch">,
    {
      patch(name: string, patch: PatchFor<T>, options?: WriteOptions): Promise<Result>;
      apply(name: string, body: AppliedBody<T, Body>, options?: ApplyOptions): Promise<Result>;
    }
  > & { readonly [parent]?: T };

declare const parent: unique symbol;

/** One client per subresource: `pods.status`, `deployments.scale`. */
export type SubresourceClients<T extends KubeObject, Sub extends SubresourceDescriptors> = {
  readonly [N in Exclude<keyof Sub, StreamingSubresource>]: Sub[N] extends SubresourceDescriptor<
    infer Body,
    infer V
  >
    ? SubresourceMethods<T, Body, V>
    : never;
};

/** All methods of a resource: its verbs, its views and its subresources. */
export type ResourceMethods<
  T extends KubeObject = KubeObject,
  V extends Verb = Verb,
  Sub extends SubresourceDescriptors = Record<never, never>,
> = VerbMethods<T, V> &
  ViewMethods<T, V> &
  SubresourceClients<T, Sub> &
  When<Sub extends { readonly exec: unknown } ? true : false, NamingPods>;
