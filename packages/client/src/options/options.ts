import type { FieldSelectorInput, LabelSelectorInput, RedactedResource } from "@typekube/core";
import type { Limits } from "@typekube/core/internal";
import type { Impersonation } from "@typekube/transport";
import type { IncludeObject } from "../response/table.js";

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call at any time; the call then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline of the whole call, in milliseconds. Default: the transport's, 300,000. A watch has no deadline. */
  readonly timeoutMs?: number | undefined;
  /**
   * Called with the text of each warning in the response. It replaces the client's handler, which in turn replaces the
   * program's (see `setDefaultWarningHandler`); those two receive each text once per connection.
   */
  readonly onWarning?: ((text: string) => void) | undefined;
  /**
   * Makes the call as another user, whom the client's own user must be allowed to impersonate. Replaces the
   * impersonation of the client and of the connection, groups included. Discovery keeps the connection's identity.
   */
  readonly impersonate?: Impersonation | undefined;
}

/**
 * Encoding of request and response bodies. JSON is always the alternative: what a server rejects (406, 415) is sent
 * again as JSON, and the client remembers that for the resource. An object does not show the encoding it arrived in.
 *
 * - `auto` (default) reads lists and watches of built-in kinds as protobuf and everything else as JSON; writes are
 * JSON.
 * - `json` reads and writes JSON.
 * - `protobuf` reads built-in kinds as protobuf, and writes them as protobuf unless an object would lose data.
 * Resources that would lose a field when read stay with JSON. Responses to writes are JSON.
 * - `cbor` is an alpha feature of servers. Servers build a CBOR list as a whole, so read it in pages.
 * - `yaml` is for people; watches use JSON instead.
 *
 * Patches and delete options are JSON in every encoding; an apply with `cbor` is CBOR.
 */
export type Encoding = "auto" | "cbor" | "json" | "protobuf" | "yaml";

/** Options of every call on a resource. */
export interface EncodingOptions extends CallOptions {
  /** Default: the client's, otherwise `auto`. */
  readonly encoding?: Encoding | undefined;
}

/**
 * The state that a read may return, chosen by intent. In terms of the API:
 *
 *   | intent | resourceVersion | resourceVersionMatch | cost |
 *   |---|---|---|---|
 *   | `"latest"` | absent | absent | the newest state; the server confirms it with its storage |
 *   | `"any"` | `"0"` | absent | none: the state that the server has at hand, possibly older than an earlier read |
 *   | `{ notOlderThan }` | the given one | `NotOlderThan` | none, or a short wait until the server has caught up |
 *   | `{ exact }` | the given one | `Exact` | lists only; `Expired` when the server no longer has that state |
 *
 * A resourceVersion is the `metadata.resourceVersion` of an object or a list of the same resource.
 */
export type Consistency =
  | "any"
  | "latest"
  | { readonly notOlderThan: string; readonly exact?: undefined }
  | { readonly exact: string; readonly notOlderThan?: undefined };

/** Options of a get. */
export type GetOptions = EncodingOptions & GetVersion;

/** The state of one object to read: by intent, or by the API's own parameter. */
export type GetVersion =
  | {
      /** Default `latest`. A single object cannot be read at an exact resourceVersion. */
      readonly consistency?: Exclude<Consistency, { readonly exact: string }> | undefined;
      readonly resourceVersion?: undefined;
    }
  | {
      readonly consistency?: undefined;
      /** Minimum resourceVersion of the state. Absent: the newest state; "0": any state that the server has at hand. */
      readonly resourceVersion?: string | undefined;
    };

/** Selects objects of a collection. */
export interface SelectorOptions {
  /** Selects objects by their labels: `app=web`, `{ app: "web" }`, or a selector object. Default: all objects. */
  readonly labelSelector?: LabelSelectorInput | undefined;
  /**
   * Selects objects by fields: `status.phase=Running` or `{ "status.phase": "Running" }`. The server supports few
   * fields of each kind. Default: all objects.
   */
  readonly fieldSelector?: FieldSelectorInput | undefined;
  /** Selects the objects of one shard (1.36, alpha). Servers without the feature ignore it. */
  readonly shardSelector?: string | undefined;
}

/**
 * The state that a list may return, in the API's parameters. `resourceVersionMatch` needs a resourceVersion, and
 * `Exact` needs one other than "0".
 */
export type ListVersion =
  | { readonly resourceVersion?: undefined; readonly resourceVersionMatch?: undefined }
  | { readonly resourceVersion: string; readonly resourceVersionMatch?: "NotOlderThan" | undefined }
  | { readonly resourceVersion: string; readonly resourceVersionMatch: "Exact" };

interface ListBaseOptions extends EncodingOptions, SelectorOptions {
  /** Maximum number of items. `metadata.continue` of the response leads to the next page. */
  readonly limit?: number | undefined;
  /** Continue token of the previous page. */
  readonly continue?: string | undefined;
  /** Seconds after which the server abandons the request. */
  readonly timeoutSeconds?: number | undefined;
  /** Keeps `metadata.managedFields`. Default true. */
  readonly managedFields?: boolean | undefined;
  /**
   * Shares equal parts between objects, and freezes them: half the memory for caches of many objects that nobody
   * modifies. Works for protobuf and JSON. Default false.
   */
  readonly shareEqual?: boolean | undefined;
}

/** The state of a collection to read: by intent, or by the API's own parameters. */
export type ListState =
  | (ListVersion & { readonly consistency?: undefined })
  | {
      /** Default `latest`. Ignored for a page requested with a `continue` token. */
      readonly consistency: Consistency | undefined;
      readonly resourceVersion?: undefined;
      readonly resourceVersionMatch?: undefined;
    };

/** Options of one list request. */
export type ListOptions = ListBaseOptions & ListState;

interface ItemsBaseOptions extends Omit<ListBaseOptions, "continue" | "limit"> {
  /** Items per request. Default 500, as in client-go's pager; 0 requests all items at once. */
  readonly pageSize?: number | undefined;
  /**
   * Behaviour when the continue token expires between two pages. `fail` (default) fails with `Expired`. `restart`
   * requests everything in one unlimited list and yields the items whose names were not yielded before. `inconsistent`
   * continues with the token that the server offers: the remaining items are newer than those before.
   */
  readonly onExpired?: "fail" | "inconsistent" | "restart" | undefined;
  /**
   * Number of pages to read ahead and buffer while the current page is consumed. Default 0: each page is requested once
   * the previous one is used up, and its items are yielded as their bytes arrive. Ending the iteration cancels the
   * requests.
   */
  readonly prefetch?: number | undefined;
  /** Called after each page with the progress of the walk. */
  readonly onProgress?: ((progress: ItemsProgress) => void) | undefined;
}

/** Progress of a walk over all items. */
export interface ItemsProgress {
  /** Items yielded so far. */
  readonly items: number;
  /** Remaining items by the server's estimate, 0 at the end. With a selector the server gives no estimate. */
  readonly remaining: number | undefined;
}

/** Options of a walk over all items, page by page. */
export type ItemsOptions = ItemsBaseOptions & ListState;

/** Options of a table of one object. Tables are JSON whatever the client's encoding. */
export interface TableOptions<I extends IncludeObject = IncludeObject> extends CallOptions {
  /** The part of its object that each row contains in addition to the cells. Default `Metadata`. */
  readonly includeObject?: I | undefined;
  /**
   * Accepts the objects themselves from a server that has no table for them. Default true; with false the call fails
   * with `NotAcceptable` instead.
   */
  readonly fallback?: boolean | undefined;
}

/** Options of a table of one page of a collection. */
export type TableListOptions<I extends IncludeObject = IncludeObject> = TableOptions<I> &
  Omit<ListBaseOptions, "encoding" | "managedFields" | "shareEqual"> &
  ListState;

interface WatchBaseOptions extends EncodingOptions, SelectorOptions {
  /** Seconds after which the server ends the watch. Default: the server's choice, 30 to 60 minutes. */
  readonly timeoutSeconds?: number | undefined;
  /** Requests bookmarks. Default true: without them the last known resourceVersion becomes too old on a quiet watch. */
  readonly allowWatchBookmarks?: boolean | undefined;
  /** Keeps `metadata.managedFields`. Default true. */
  readonly managedFields?: boolean | undefined;
  /**
   * Shares equal parts between objects, and freezes them: half the memory for caches of many objects that nobody
   * modifies. Works for protobuf and JSON. Default false.
   */
  readonly shareEqual?: boolean | undefined;
}

/**
 * Start of a watch. With a resourceVersion it starts after that state, for callers that have it. Without one it starts
 * with the existing objects as ADDED events, which look the same as later ones. With `sendInitialEvents` (needs
 * `resourceVersionMatch` and bookmarks) a bookmark follows the existing objects.
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

/** Options of every write. */
export interface WriteOptions extends EncodingOptions {
  /** `All` makes the server process the whole write without storing anything. */
  readonly dryRun?: "All" | undefined;
  /**
   * The field manager recorded in managedFields: 1 to 128 bytes of printable characters. Default of an apply: the
   * `name` in the program's package.json, otherwise its file name. Default of other writes: the server derives it from
   * the user agent.
   */
  readonly fieldManager?: string | undefined;
  /** The server's treatment of unknown and duplicate fields: `Warn` (its default), `Strict` or `Ignore`. */
  readonly fieldValidation?: "Ignore" | "Strict" | "Warn" | undefined;
}

/** Options of a create. */
export interface CreateOptions extends WriteOptions {
  /**
   * Total number of creates when the server generates the name (`metadata.generateName`) and finds it taken. Each retry
   * waits as long as the server advises. Default 8; 1 never retries. A name given by the caller is never retried.
   */
  readonly maxNameTries?: number | undefined;
}

/** Options of a modify: read, change, write. */
export interface ModifyOptions extends WriteOptions {
  /**
   * Total attempts to read and write while others write in between, 10 to 11 ms apart. Default 5, as in client-go's
   * `DefaultRetry`.
   */
  readonly maxTries?: number | undefined;
}

/** Options of a modify that may have to create the object. */
export interface ModifyOrCreateOptions<T> extends ModifyOptions {
  /** The object to start from when none exists; the changed object is then created. Default: fail with `NotFound`. */
  readonly createIfMissing?: T | undefined;
}

/** Options of a server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /** Takes over fields from other managers instead of failing with `Conflict`. Default false. */
  readonly force?: boolean | undefined;
}

/** Options of a delete. */
export interface DeleteOptions extends EncodingOptions {
  /** `All` makes the server process the whole delete without removing anything. */
  readonly dryRun?: "All" | undefined;
  /** Seconds for the object to terminate; 0 deletes it at once. */
  readonly gracePeriodSeconds?: number | undefined;
  /** Garbage collection of the object's dependents. */
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan" | undefined;
  /** Deletes the object only if these values match; otherwise fails with `Conflict`. */
  readonly preconditions?:
    | { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined }
    | undefined;
  /** Cannot be combined with other delete options: see {@link UnsafeDeleteOptions}. */
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: undefined;
}

/**
 * Options of an unsafe delete, for an object that the server can no longer read from its storage. It cannot be combined
 * with other delete options, nor used by a client whose default is a dry run.
 */
export interface UnsafeDeleteOptions extends EncodingOptions {
  /**
   * DANGEROUS. Removes the object from storage and bypasses its finalizers, preconditions and admission. Whatever the
   * object stands for keeps running, and the cluster may break. Servers do this only for an object that they cannot
   * decrypt or decode, after an ordinary delete failed for that reason, and only for users with the verb
   * `unsafe-delete-ignore-read-errors`. For a readable object they respond with `Conflict`.
   */
  readonly ignoreStoreReadErrorWithClusterBreakingPotential: true;
  readonly dryRun?: undefined;
  readonly gracePeriodSeconds?: undefined;
  readonly preconditions?: undefined;
  readonly propagationPolicy?: undefined;
}

/** Options of a deleteCollection: selectors and delete options. */
export interface DeleteCollectionOptions extends DeleteOptions, SelectorOptions {
  /** Maximum number of objects to delete. Default: no limit. */
  readonly limit?: number | undefined;
  /** Continue token of a list, from which the deletion continues. Default: from the first object. */
  readonly continue?: string | undefined;
  /** resourceVersion of the state that selects the objects to delete; see {@link ListVersion}. */
  readonly resourceVersion?: string | undefined;
  /** Meaning of `resourceVersion`: exactly this state, or one that is not older. */
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan" | undefined;
  /** Seconds after which the server abandons the request. */
  readonly timeoutSeconds?: number | undefined;
}

/** Defaults for every call of a client, set by `connect` or `client.with()`. */
export interface ClientDefaults
  extends Pick<
    WriteOptions,
    "dryRun" | "fieldManager" | "fieldValidation" | "impersonate" | "onWarning" | "timeoutMs"
  > {
  /** Default `auto`. */
  readonly encoding?: Encoding | undefined;
  /** Size limits for responses. Defaults: see {@link Limits}. */
  readonly limits?: Partial<Limits> | undefined;
  /**
   * Resources whose values errors must not show, in addition to Secrets. An entry is a descriptor; to hide some fields
   * only, `{ ...ApiKey, fields: ["spec.key"] }`. Servers quote an invalid value in errors, and the whole object when a
   * patch does not fit it.
   */
  readonly redactErrors?: readonly RedactedResource[] | undefined;
}
