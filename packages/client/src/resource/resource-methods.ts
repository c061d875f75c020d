import type { Status } from "@typekube/core";
import type { Projected, Unprojected } from "@typekube/core/internal";
import type { ItemWalk } from "../list/item-walk.js";
import type {
  DeleteCollectionOptions,
  DeleteOptions,
  UnsafeDeleteOptions,
} from "../options/delete-options.js";
import type { FieldsOption, Whole } from "../options/fields-option.js";
import type { GetOptions } from "../options/get-options.js";
import type { ItemsOptions } from "../options/items-options.js";
import type { ListOptions } from "../options/list-options.js";
import type { TableListOptions, TableOptions } from "../options/table-options.js";
import type { WatchOptions } from "../options/watch-options.js";
import type {
  ApplyOptions,
  CreateOptions,
  ModifyOptions,
  ModifyOrCreateOptions,
  WriteOptions,
} from "../options/write-options.js";
import type { Patch } from "../patch/patch.js";
import type { PodCalls } from "../pods/pod-calls.js";
import type { IncludeObject, RowObject, Table } from "../response/table.js";
import type {
  KubeList,
  KubeObject,
  Live,
  PartialObjectMetadata,
  SubresourceDescriptor,
  SubresourceDescriptors,
  Verb,
} from "../types/api-types.js";
import type { Applied } from "../types/applied.js";
import type { Selecting } from "../types/selectable.js";
import type { Written } from "../types/written.js";
import type { WatchEvent } from "../watch/watch-event.js";
import type { ApplyResult } from "../write/apply-result.js";
import type { DeleteResult } from "../write/delete-result.js";
import type { ObjectChange } from "../write/modify.js";

/** Reads single objects. */
export interface Getting<T extends KubeObject> {
  /**
   * Reads some fields of an object.
   *
   * @throws {KubeError} as below; `InvalidArgument` for a path that leads to no field.
   *
   * @example
   * ```ts
   * const pod = await pods.get("web-0", { fields: ["spec.nodeName", "status.phase"] });
   * ```
   */
  get<const P extends string>(
    name: string,
    options: GetOptions & FieldsOption<T, P>,
  ): Promise<Live<Projected<T, P>>>;
  /**
   * Reads an object.
   *
   * @throws {KubeError} `NotFound` when it does not exist, among others.
   */
  get(name: string, options?: GetOptions & Whole): Promise<Live<T>>;
  /** Reads an object like `get`, and returns `undefined` when it does not exist. Keeps some fields of it only. */
  find<const P extends string>(
    name: string,
    options: GetOptions & FieldsOption<T, P>,
  ): Promise<Live<Projected<T, P>> | undefined>;
  /** Reads an object like `get`, but returns `undefined` when it does not exist. */
  find(name: string, options?: GetOptions & Whole): Promise<Live<T> | undefined>;
}

/** Reads collections. */
export interface Listing<T extends KubeObject> {
  /** Sends one list request and keeps some fields of each item. */
  list<const P extends string>(
    options: Selecting<T, ListOptions> & FieldsOption<T, P>,
  ): Promise<KubeList<Live<Projected<T, P>>>>;
  /** Sends one list request. Returns the list as the server sent it, with kind and apiVersion filled in on its items. */
  list(options?: Selecting<T, ListOptions> & Whole): Promise<KubeList<Live<T>>>;
  /** Iterates over some fields of every item, page by page: see below. */
  items<const P extends string>(
    options: Selecting<T, ItemsOptions> & FieldsOption<T, P>,
  ): ItemWalk<Projected<T, P>>;
  /**
   * Iterates over every item, page by page, decoding items as their bytes arrive. Keeps at most one page in memory,
   * plus the pages requested by `prefetch`.
   *
   * @throws {KubeError} `Expired` when a continue token has expired, unless `onExpired` selects otherwise.
   */
  items(options?: Selecting<T, ItemsOptions> & Whole): ItemWalk<T>;
}

/** Watches collections, one request at a time. */
export interface Watching<T extends KubeObject> {
  /** Yields the events of one watch request, with some fields of each object: see below. */
  watch<const P extends string>(
    options: Selecting<T, WatchOptions> & FieldsOption<T, P>,
  ): AsyncIterable<WatchEvent<Projected<T, P>>>;
  /**
   * Yields the raw watch events of one request, and ends when the server ends it. Without a `resourceVersion` the
   * existing objects come first, as ADDED events. For a watch that recovers from failures, see the informer package.
   *
   * @throws {KubeError} the error of an `ERROR` event (`Expired` for a resourceVersion that is too old), or a network
   * error.
   */
  watch(options?: Selecting<T, WatchOptions> & Whole): AsyncIterable<WatchEvent<T>>;
}

/** Creates objects. */
export interface Creating<T extends KubeObject> {
  /**
   * Creates an object. Kind and apiVersion are filled in. With `metadata.generateName` instead of a name, the server
   * generates the name; when that name is taken, the client repeats the create as the server advises.
   *
   * @throws {KubeError} `AlreadyExists` when the name is taken.
   */
  create(object: Written<T> & Unprojected, options?: CreateOptions): Promise<Live<T>>;
}

/** Replaces objects. */
export interface Updating<T extends KubeObject> {
  /**
   * Replaces the whole object.
   *
   * @throws {KubeError} `Conflict` when another client changed it since the resourceVersion in `object`.
   */
  update(object: Written<T> & Unprojected, options?: WriteOptions): Promise<Live<T>>;
}

/** Reads, changes and replaces an object in one call. */
export interface Modifying<T extends KubeObject> {
  /**
   * Reads the object, lets `change` modify a copy, and writes the result with the resourceVersion that was read. Starts
   * over when another client wrote in between. Writes nothing when nothing changed.
   *
   * @param change - modifies the copy that it receives, or returns another object. May run several times.
   * @returns the object as written, or as read when nothing changed.
   * @throws {KubeError} `NotFound` unless `createIfMissing` is set; `Conflict` when every attempt met another writer.
   */
  modify(
    name: string,
    change: ObjectChange<Live<T>, T & Unprojected>,
    options?: ModifyOptions & { readonly createIfMissing?: undefined },
  ): Promise<Live<T>>;
  /**
   * Reads, changes and writes an object, or creates it from `createIfMissing` when it does not exist. `change` then
   * receives an object that is not live.
   */
  modify(
    name: string,
    change: ObjectChange<T, T & Unprojected>,
    options: ModifyOrCreateOptions<T & Unprojected>,
  ): Promise<Live<T>>;
}

/** The patches that a kind takes. Kinds with arbitrary fields, which are not built in, take no strategic merge patch. */
export type PatchFor<T> = string extends keyof T ? Patch<"json" | "merge"> : Patch;

/** Patches and applies objects. */
export interface Patching<T extends KubeObject> {
  /**
   * Applies a patch to an existing object. See `jsonPatch`, `mergePatch` and `strategicPatch` for the kinds of patches.
   *
   * @throws {KubeError} `Invalid` when a test of a JSON patch fails; `Conflict` when the patch is for another
   * resourceVersion.
   */
  patch(name: string, patch: PatchFor<T>, options?: WriteOptions): Promise<Live<T>>;
  /**
   * Server-side apply: the object's fields become what is given, and this field manager's. Kind and apiVersion are filled in.
   * `fieldManager` defaults to the `name` of the program's package.json, else to the
   * program's file name without extension, so that two programs conflict over a field instead of taking turns.
   *
   * @throws {KubeError} `Conflict` with a cause per field that another manager owns, unless `force`: see `applyConflicts`.
   */
  apply(object: Applied<T> & Unprojected, options?: ApplyOptions): Promise<Live<T>>;
  /**
   * {@link apply} that also reports whether the object was created, changed or left unchanged. It reads the object first, so it costs
   * a second request and needs the verb `get`.
   *
   * @throws {KubeError} as `apply`, and as `get` except for `NotFound`.
   */
  applyWithResult(
    object: Applied<T> & Unprojected,
    options?: ApplyOptions,
  ): Promise<ApplyResult<T>>;
}

/** Deletes single objects. */
export interface Deleting<T extends KubeObject> {
  /**
   * Deletes one object. The result is `deleted`, or `terminating` while a finalizer or a grace period holds the object.
   *
   * @throws {KubeError} `Conflict` when a precondition does not hold.
   */
  delete(name: string, options?: DeleteOptions | UnsafeDeleteOptions): Promise<DeleteResult<T>>;
}

/** Deletes collections. */
export interface DeletingCollections<T extends KubeObject> {
  /** Deletes the selected objects one by one, not as a transaction. */
  deleteCollection(
    options?: Selecting<T, DeleteCollectionOptions>,
  ): Promise<KubeList<Live<T>> | Status>;
}

/** Reads a collection as a table, as `kubectl get` prints it. */
export interface TablesOfMany<T extends KubeObject> {
  /**
   * Returns one page as a table for people.
   *
   * @throws {KubeError} `NotAcceptable` when the server has no table for this kind.
   */
  table<I extends IncludeObject = "Metadata">(
    options: Selecting<T, TableListOptions<I> & { readonly fallback: false }>,
  ): Promise<Table<RowObject<T, I>>>;
  /** Returns one page as a table for people, or the list itself from a server that has no table for this kind. */
  table<I extends IncludeObject = "Metadata">(
    options?: Selecting<T, TableListOptions<I>>,
  ): Promise<KubeList<Live<T>> | Table<RowObject<T, I>>>;
}

/** Reads one object as a table of one row. */
export interface TablesOfOne<T extends KubeObject> {
  /**
   * Returns one object as a table of one row.
   *
   * @throws {KubeError} `NotAcceptable` when the server has no table for this kind.
   */
  tableOf<I extends IncludeObject = "Metadata">(
    name: string,
    options: TableOptions<I> & { readonly fallback: false },
  ): Promise<Table<RowObject<T, I>>>;
  /** Returns one object as a table of one row, or the object itself from a server that has no table for this kind. */
  tableOf<I extends IncludeObject = "Metadata">(
    name: string,
    options?: TableOptions<I>,
  ): Promise<Live<T> | Table<RowObject<T, I>>>;
}

/** Patches objects and returns their metadata only. */
export interface PatchingMetadata {
  /** Patches an object by its name and returns the metadata of the result. */
  patch(name: string, patch: Patch, options?: WriteOptions): Promise<Live<PartialObjectMetadata>>;
}

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
      apply(name: string, body: Applied<Body>, options?: ApplyOptions): Promise<Result>;
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
