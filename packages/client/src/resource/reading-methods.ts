import type { Projected } from "@typekube/core/internal";
import type { ItemWalk } from "../list/item-walk.js";
import type { FieldsOption, Whole } from "../options/fields-option.js";
import type { GetOptions } from "../options/get-options.js";
import type { ItemsOptions } from "../options/items-options.js";
import type { ListOptions } from "../options/list-options.js";
import type { TableListOptions, TableOptions } from "../options/table-options.js";
import type { WatchOptions } from "../options/watch-options.js";
import type { IncludeObject, RowObject, Table } from "../response/table.js";
import type { KubeList, KubeObject, Live } from "../types/api-types.js";
import type { Selecting } from "../types/selectable.js";
import type { WatchEvent } from "../watch/watch-event.js";

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
