import type { FieldSelectorInput, LabelSelectorInput, RedactedResource } from "@typekube/core";
import type { Limits } from "@typekube/core/internal";
import type { Impersonation } from "@typekube/transport";
import type { IncludeObject } from "./table.js";

/** What every call takes. */
export interface CallOptions {
  /** Ends the call at any moment; it then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the whole call. Default: the transport's, 300,000. A watch has no deadline. */
  readonly timeoutMs?: number | undefined;
  /**
   * Called with the text of each warning that the server attaches to the answer. A client's handler hears each text once; without
   * one the program's does: see `setDefaultWarningHandler`.
   */
  readonly onWarning?: ((text: string) => void) | undefined;
  /**
   * Do this as somebody else, whom the client's own user must be allowed to impersonate. It takes the place of the client's and
   * the connection's impersonation, groups and all. Discovery stays the client's own.
   */
  readonly impersonate?: Impersonation | undefined;
}

/**
 * In which encoding bodies go and come. JSON is always the second choice, and what a server refuses (406, 415) is sent
 * again as JSON and remembered for that resource. Which encoding an object came in cannot be seen on it.
 *
 * - `auto` (default) reads lists and watches of built-in kinds as protobuf and everything else as JSON; writes are JSON.
 * - `json` reads and writes JSON.
 * - `protobuf` reads built-in kinds as protobuf and writes them so unless something of an object would be lost; a
 *   resource of which reading would lose a field is held to JSON. Writes are answered as JSON.
 * - `cbor` is an alpha feature of servers; lists in it are built whole on the server, so read them in pages.
 * - `yaml` is for people; watches under it are JSON.
 *
 * Patches and the options of a delete are JSON in each of them; an apply under `cbor` is CBOR.
 */
export type Encoding = "auto" | "cbor" | "json" | "protobuf" | "yaml";

/** What every call on a resource takes. */
export interface EncodingOptions extends CallOptions {
  /** Default: the client's, else `auto`. */
  readonly encoding?: Encoding | undefined;
}

/**
 * Which state a read may show, by what one wants of it. In the API's words:
 *
 * | intent | resourceVersion | resourceVersionMatch | what it costs |
 * |---|---|---|---|
 * | `"latest"` | absent | absent | the newest state; the server makes sure of it with its storage |
 * | `"any"` | `"0"` | absent | nothing: what the server has at hand, perhaps older than what was read before |
 * | `{ notOlderThan }` | the version | `NotOlderThan` | nothing, or a moment's wait until the server has got there |
 * | `{ exact }` | the version | `Exact` | only lists; `Expired` when the server has let go of that state |
 *
 * A version is the `metadata.resourceVersion` of an object or a list of the same resource.
 */
export type Consistency =
  | "any"
  | "latest"
  | { readonly notOlderThan: string; readonly exact?: undefined }
  | { readonly exact: string; readonly notOlderThan?: undefined };

/** Options of a get. */
export type GetOptions = EncodingOptions & GetVersion;

/** Which state of one object: by intent, or by the API's own parameter. */
export type GetVersion =
  | {
      /** Default `latest`. An object cannot be read as it once was: there is no exact version. */
      readonly consistency?: Exclude<Consistency, { readonly exact: string }> | undefined;
      readonly resourceVersion?: undefined;
    }
  | {
      readonly consistency?: undefined;
      /** At least as new as this version. Absent: the newest; "0": whatever the server has at hand. */
      readonly resourceVersion?: string | undefined;
    };

/** Which objects of a collection. */
export interface SelectorOptions {
  readonly labelSelector?: LabelSelectorInput | undefined;
  readonly fieldSelector?: FieldSelectorInput | undefined;
  /** The part of the objects that a shard sees (1.36, alpha); servers without the feature ignore it. */
  readonly shardSelector?: string | undefined;
}

/** Which state a list may show. A match needs a version; an exact match is never of "0". */
export type ListVersion =
  | { readonly resourceVersion?: undefined; readonly resourceVersionMatch?: undefined }
  | { readonly resourceVersion: string; readonly resourceVersionMatch?: "NotOlderThan" | undefined }
  | { readonly resourceVersion: string; readonly resourceVersionMatch: "Exact" };

interface ListBaseOptions extends EncodingOptions, SelectorOptions {
  /** At most this many items; the answer's `metadata.continue` leads to the next. */
  readonly limit?: number | undefined;
  /** The token of the page before. */
  readonly continue?: string | undefined;
  /** Seconds after which the server gives up. */
  readonly timeoutSeconds?: number | undefined;
  /** Keep `metadata.managedFields`. Default true. */
  readonly managedFields?: boolean | undefined;
  /**
   * Parts of objects that are equal may be one and the same object, frozen: half the memory for caches of many objects that
   * nobody changes. Reads in protobuf and JSON do it. Default false.
   */
  readonly shareEqual?: boolean | undefined;
}

/** Which state of a collection: by intent, or by the API's own parameters. */
export type ListState =
  | (ListVersion & { readonly consistency?: undefined })
  | {
      /** Default `latest`. Without effect on a page that a `continue` token leads to. */
      readonly consistency: Consistency | undefined;
      readonly resourceVersion?: undefined;
      readonly resourceVersionMatch?: undefined;
    };

/** Options of one list request. */
export type ListOptions = ListBaseOptions & ListState;

interface ItemsBaseOptions extends Omit<ListBaseOptions, "continue" | "limit"> {
  /** Items per request. Default 500, as client-go's pager; 0 asks for all at once. */
  readonly pageSize?: number | undefined;
  /**
   * What to do when the continue token expired between two pages. `fail` (default) fails with `Expired`. `restart` asks
   * for everything in one unlimited list and yields what was not yielded before by that name. `inconsistent` goes
   * on with the token that the server offers: the rest is newer than what came before.
   */
  readonly onExpired?: "fail" | "inconsistent" | "restart" | undefined;
  /**
   * Pages that are read ahead and kept whole while one is in hand. Default 0: each page is asked for when the one before is used
   * up, and its items come as their bytes do. Whoever stops reading stops the requests.
   */
  readonly prefetch?: number | undefined;
  /** Told after each page how far the walk has come. */
  readonly onProgress?: ((progress: ItemsProgress) => void) | undefined;
}

/** How far a walk over all items has come. */
export interface ItemsProgress {
  /** Items that were yielded. */
  readonly items: number;
  /** Items still to come as the server estimates them, 0 at the end; it does not tell under a selector. */
  readonly remaining: number | undefined;
}

/** Options of a walk over all items, page by page. */
export type ItemsOptions = ItemsBaseOptions & ListState;

/** Options of a table of one object. Tables are JSON whatever the client's encoding. */
export interface TableOptions<I extends IncludeObject = IncludeObject> extends CallOptions {
  /** What each row holds of its object besides the cells. Default `Metadata`. */
  readonly includeObject?: I | undefined;
  /**
   * Take the objects themselves from a server that has no table of them. Default true; false fails with `NotAcceptable`
   * instead.
   */
  readonly fallback?: boolean | undefined;
}

/** Options of a table of one page of a collection. */
export type TableListOptions<I extends IncludeObject = IncludeObject> = TableOptions<I> &
  Omit<ListBaseOptions, "encoding" | "managedFields" | "shareEqual"> &
  ListState;

interface WatchBaseOptions extends EncodingOptions, SelectorOptions {
  /** Seconds after which the server ends the watch. Absent: the server chooses, 30 to 60 minutes. */
  readonly timeoutSeconds?: number | undefined;
  /** Ask for bookmarks. Default true: without them the last version known grows too old on a quiet watch. */
  readonly allowWatchBookmarks?: boolean | undefined;
  /** Keep `metadata.managedFields`. Default true. */
  readonly managedFields?: boolean | undefined;
  /**
   * Parts of objects that are equal may be one and the same object, frozen: half the memory for caches of many objects that
   * nobody changes. Reads in protobuf and JSON do it. Default false.
   */
  readonly shareEqual?: boolean | undefined;
}

/**
 * Where a watch begins: after a version, to those who have the state of it; without one with what is there as ADDED events, which nothing
 * tells from those of what is made later; or with these and a bookmark behind them (`sendInitialEvents`, which needs the match and bookmarks).
 */
export type WatchStart =
  | {
      readonly resourceVersion?: string | undefined;
      readonly sendInitialEvents?: false | undefined;
      readonly resourceVersionMatch?: undefined;
    }
  | {
      readonly resourceVersion?: string | undefined;
      readonly sendInitialEvents: true;
      readonly resourceVersionMatch: "NotOlderThan";
      readonly allowWatchBookmarks?: true | undefined;
    };

/** Options of one watch request. */
export type WatchOptions = WatchBaseOptions & WatchStart;

/** What every write takes. */
export interface WriteOptions extends EncodingOptions {
  /** `All` runs the whole write and stores nothing. */
  readonly dryRun?: "All" | undefined;
  /**
   * The writer, as managedFields record it: 1 to 128 bytes of printable characters. Default of an apply: the `name` of the program's
   * package.json, else its file name. Default of other writes: the server's, from the user agent.
   */
  readonly fieldManager?: string | undefined;
  /** What the server does with unknown and duplicate fields: `Warn` (its default), `Strict` or `Ignore`. */
  readonly fieldValidation?: "Ignore" | "Strict" | "Warn" | undefined;
}

/** Options of a create. */
export interface CreateOptions extends WriteOptions {
  /**
   * Creates in all where the server makes up the name (`metadata.generateName`) and finds it taken, each after the time that
   * the server advises. Default 8; 1 never repeats. A name of the caller's is never tried twice.
   */
  readonly maxNameTries?: number | undefined;
}

/** Options of a modify: read, change, write. */
export interface ModifyOptions extends WriteOptions {
  /** Reads and writes in all while others write in between, 10 to 11 ms apart. Default 5, as client-go's `DefaultRetry`. */
  readonly maxTries?: number | undefined;
}

/** Options of a modify of an object that may have to be made. */
export interface ModifyOrCreateOptions<T> extends ModifyOptions {
  /** What the change begins with when the object is not there; it is created then. Default: fail with `NotFound`. */
  readonly createIfMissing?: T | undefined;
}

/** Options of a server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /** Take fields over from other managers instead of failing with `Conflict`. Default false. */
  readonly force?: boolean | undefined;
}

/** Options of a delete. */
export interface DeleteOptions extends EncodingOptions {
  readonly dryRun?: "All" | undefined;
  /** Seconds that the object gets to end; 0 is at once. */
  readonly gracePeriodSeconds?: number | undefined;
  /** What becomes of the objects that it owns. */
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan" | undefined;
  /** Deletes only the object that is meant: fails with `Conflict` otherwise. */
  readonly preconditions?:
    | { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined }
    | undefined;
  /** Stands alone: see {@link UnsafeDeleteOptions}. */
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: undefined;
}

/**
 * Options of an unsafe delete: of an object that the server can no longer read from its storage. It takes no other option of
 * a delete, and no client whose default is a dry run.
 */
export interface UnsafeDeleteOptions extends EncodingOptions {
  /**
   * DANGEROUS. Removes the object from storage without its finalizers, preconditions and admission having a say; what it
   * stands for keeps running, and the cluster may break. Servers do it only for an object that they cannot decrypt or decode,
   * after the ordinary delete failed for that, for users with the verb `unsafe-delete-ignore-read-errors`. A readable object is
   * a `Conflict`.
   */
  readonly ignoreStoreReadErrorWithClusterBreakingPotential: true;
  readonly dryRun?: undefined;
  readonly gracePeriodSeconds?: undefined;
  readonly preconditions?: undefined;
  readonly propagationPolicy?: undefined;
}

/** Options of a deleteCollection: which objects, and how. */
export interface DeleteCollectionOptions extends DeleteOptions, SelectorOptions {
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan" | undefined;
  readonly timeoutSeconds?: number | undefined;
}

/** What `client.with()` sets for every call that follows. */
export interface ClientDefaults
  extends Pick<
    WriteOptions,
    "dryRun" | "fieldManager" | "fieldValidation" | "impersonate" | "onWarning" | "timeoutMs"
  > {
  /** Default `auto`. */
  readonly encoding?: Encoding | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /**
   * Resources besides Secrets whose values do not show in errors: descriptors, or `{ ...ApiKey, fields: ["spec.key"] }` for some
   * fields alone. Servers quote the value that is wrong, and for a patch that does not fit the whole object.
   */
  readonly redactErrors?: readonly RedactedResource[] | undefined;
}
