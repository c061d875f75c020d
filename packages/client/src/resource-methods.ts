import type { Status } from "@typekube/core";
import type {
  KubeList,
  KubeObject,
  Live,
  PartialObjectMetadata,
  SubresourceDescriptor,
  SubresourceDescriptors,
  Verb,
} from "./api-types.js";
import type { ApplyResult } from "./apply-result.js";
import type { DeepPartial } from "./deep-partial.js";
import type { DeleteResult } from "./delete-result.js";
import type { ItemWalk } from "./item-walk.js";
import type { ObjectChange } from "./modify.js";
import type {
  ApplyOptions,
  CreateOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ItemsOptions,
  ListOptions,
  ModifyOptions,
  ModifyOrCreateOptions,
  TableListOptions,
  TableOptions,
  UnsafeDeleteOptions,
  WatchOptions,
  WriteOptions,
} from "./options.js";
import type { Patch } from "./patch.js";
import type { IncludeObject, RowObject, Table } from "./table.js";
import type { WatchEvent } from "./watch-event.js";

/** Reading one object. */
export interface Getting<T extends KubeObject> {
  /** @throws {KubeError} `NotFound` among others. */
  get(name: string, options?: GetOptions): Promise<Live<T>>;
  /** Like get, with `undefined` for an object that is not there. */
  find(name: string, options?: GetOptions): Promise<Live<T> | undefined>;
}

/** Reading a collection. */
export interface Listing<T extends KubeObject> {
  /** One request: the list as the server answers it, its items with kind and apiVersion filled in. */
  list(options?: ListOptions): Promise<KubeList<Live<T>>>;
  /**
   * Every item, page by page, decoded as the bytes arrive; no more than a page is in memory, and those that `prefetch` asks for.
   *
   * @throws {KubeError} `Expired` when a continue token grew too old, unless `onExpired` says otherwise.
   */
  items(options?: ItemsOptions): ItemWalk<T>;
}

/** Following a collection through one request. */
export interface Watching<T extends KubeObject> {
  /**
   * The raw events of one watch; it ends when the server ends it. Without a `resourceVersion` what is there comes first, as ADDED. For one
   * that heals itself see the informer package.
   *
   * @throws {KubeError} what an `ERROR` event says (`Expired` for a version that is too old), or the network's error.
   */
  watch(options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
}

/** Making objects. */
export interface Creating<T extends KubeObject> {
  /**
   * Kind and apiVersion are filled in. With `metadata.generateName` instead of a name the server makes one up; where that is
   * taken the create is sent again, as the server advises.
   *
   * @throws {KubeError} `AlreadyExists` when the name is taken.
   */
  create(object: T, options?: CreateOptions): Promise<Live<T>>;
}

/** Replacing objects. */
export interface Updating<T extends KubeObject> {
  /**
   * Replaces the whole object.
   *
   * @throws {KubeError} `Conflict` when someone changed it since the version that `object` carries.
   */
  update(object: T, options?: WriteOptions): Promise<Live<T>>;
}

/** Reading, changing and replacing an object in one go. */
export interface Modifying<T extends KubeObject> {
  /**
   * Reads the object, has it changed and writes it, as the version that was read; when somebody else wrote in between, it does
   * so again from the start. Nothing is written when nothing changed.
   *
   * @param change - changes the copy that it is given, or gives back another object. It may run several times.
   * @returns the object as written, or as read when nothing changed.
   * @throws {KubeError} `NotFound` unless `createIfMissing`; `Conflict` when all tries met another writer.
   */
  modify(
    name: string,
    change: ObjectChange<Live<T>, T>,
    options?: ModifyOptions & { readonly createIfMissing?: undefined },
  ): Promise<Live<T>>;
  /** The same for an object that is made when it is not there; what is changed may be no live object then. */
  modify(
    name: string,
    change: ObjectChange<T>,
    options: ModifyOrCreateOptions<T>,
  ): Promise<Live<T>>;
}

/** What a patch may be. Kinds of free fields, which are not built in, take no strategic merge patch. */
export type PatchFor<T> = string extends keyof T ? Patch<"json" | "merge"> : Patch;

/** Changing parts of objects. */
export interface Patching<T extends KubeObject> {
  /**
   * Changes what the patch says; the object must be there. See `jsonPatch`, `mergePatch` and `strategicPatch` for the kinds of patches.
   *
   * @throws {KubeError} `Invalid` where a test of a JSON patch fails, `Conflict` where the patch is for another version.
   */
  patch(name: string, patch: PatchFor<T>, options?: WriteOptions): Promise<Live<T>>;
  /**
   * Server-side apply: the object's fields become what is given, and this field manager's. Kind and apiVersion are filled in.
   * `fieldManager` defaults to the `name` of the program's package.json, else to the
   * program's file name without extension, so that two programs conflict over a field instead of taking turns.
   *
   * @throws {KubeError} `Conflict` with a cause per field that another manager owns, unless `force`: see `applyConflicts`.
   */
  apply(object: DeepPartial<T>, options?: ApplyOptions): Promise<Live<T>>;
  /**
   * {@link apply} that also reports whether the object was created, changed or left unchanged. It reads the object first, so it costs
   * a second request and needs the verb `get`.
   *
   * @throws {KubeError} as `apply`, and as `get` except for `NotFound`.
   */
  applyWithResult(object: DeepPartial<T>, options?: ApplyOptions): Promise<ApplyResult<T>>;
}

/** Deleting one object. */
export interface Deleting<T extends KubeObject> {
  /**
   * Deletes one object. The result is `deleted`, or `terminating` while a finalizer or a grace period holds the object.
   *
   * @throws {KubeError} `Conflict` when a precondition does not hold.
   */
  delete(name: string, options?: DeleteOptions | UnsafeDeleteOptions): Promise<DeleteResult<T>>;
}

/** Deleting many. */
export interface DeletingCollections<T extends KubeObject> {
  /** Deletes what the selectors choose, one by one, not as a transaction. */
  deleteCollection(options?: DeleteCollectionOptions): Promise<KubeList<Live<T>> | Status>;
}

/** A collection as a table, as `kubectl get` prints it. */
export interface TablesOfMany<T extends KubeObject> {
  /**
   * One page as a table for people.
   *
   * @throws {KubeError} `NotAcceptable` when the server has no table of this kind.
   */
  table<I extends IncludeObject = "Metadata">(
    options: TableListOptions<I> & { readonly fallback: false },
  ): Promise<Table<RowObject<T, I>>>;
  /** One page as a table for people; the list itself from a server that has no table of this kind. */
  table<I extends IncludeObject = "Metadata">(
    options?: TableListOptions<I>,
  ): Promise<KubeList<Live<T>> | Table<RowObject<T, I>>>;
}

/** One object as a table of one row. */
export interface TablesOfOne<T extends KubeObject> {
  /** @throws {KubeError} `NotAcceptable` when the server has no table of this kind. */
  tableOf<I extends IncludeObject = "Metadata">(
    name: string,
    options: TableOptions<I> & { readonly fallback: false },
  ): Promise<Table<RowObject<T, I>>>;
  /** One object as a table of one row; the object itself from a server that has no table of this kind. */
  tableOf<I extends IncludeObject = "Metadata">(
    name: string,
    options?: TableOptions<I>,
  ): Promise<Live<T> | Table<RowObject<T, I>>>;
}

/** Patching what is seen by its metadata alone. */
export interface PatchingMetadata {
  patch(name: string, patch: Patch, options?: WriteOptions): Promise<Live<PartialObjectMetadata>>;
}

/** The metadata of objects without the rest: a fraction of the bytes and of the memory. */
export interface ViewingMetadata<V extends Verb> {
  /** The same resource with the metadata of its objects alone. */
  metadata(): MetadataClient<V>;
}

type When<Has extends boolean, Methods> = Has extends true ? Methods : unknown;
type HasVerb<V extends Verb, Wanted extends Verb> = Wanted extends V ? true : false;

/** What can be done with a resource, by its verbs. What the server does not serve does not exist here. */
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

/** The client of a resource of which only the metadata is seen. */
export type MetadataClient<V extends Verb = Verb> = VerbMethods<
  PartialObjectMetadata,
  Extract<V, "delete" | "deletecollection" | "get" | "list" | "watch">
> &
  When<HasVerb<V, "patch">, PatchingMetadata>;

/** Other views of a resource, for those whose objects can be read. */
export type ViewMethods<T extends KubeObject, V extends Verb> = When<
  HasVerb<V, "list">,
  TablesOfMany<T>
> &
  When<HasVerb<V, "get">, TablesOfOne<T>> &
  When<Extract<V, "get" | "list" | "watch"> extends never ? false : true, ViewingMetadata<V>>;

/** Subresources that are streams or proxies, not objects. */
export type StreamingSubresource = "attach" | "exec" | "log" | "portforward" | "proxy";

/** What a subresource answers with: the object itself where its body is one (`status`), as live as any. */
type SubresourceResponse<T extends KubeObject, Body> = [Body, T] extends [T, Body] ? Live<T> : Body;

type SubresourceMethods<
  T extends KubeObject,
  Body,
  V extends Verb,
  Result = SubresourceResponse<T, Body>,
> = When<HasVerb<V, "get">, { get(name: string, options?: GetOptions): Promise<Result> }> &
  When<
    HasVerb<V, "create">,
    { create(name: string, body: Body, options?: WriteOptions): Promise<Result> }
  > &
  When<
    HasVerb<V, "update">,
    { update(name: string, body: Body, options?: WriteOptions): Promise<Result> }
  > &
  When<
    HasVerb<V, "get">,
    When<
      HasVerb<V, "update">,
      {
        modify(
          name: string,
          change: ObjectChange<Result, Body>,
          options?: ModifyOptions,
        ): Promise<Result>;
      }
    >
  > &
  When<
    HasVerb<V, "patch">,
    {
      patch(name: string, patch: PatchFor<T>, options?: WriteOptions): Promise<Result>;
      apply(name: string, body: DeepPartial<Body>, options?: ApplyOptions): Promise<Result>;
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
> = VerbMethods<T, V> & ViewMethods<T, V> & SubresourceClients<T, Sub>;
