import type { OptionTable, WireWatchEvent } from "@typekube/core/internal";
import type { JournalEntry } from "../journal/journal.js";

/** A fault, and the requests that it applies to. */
export interface FaultRule {
  /** One of `get list watch create update patch delete deletecollection`; absent: all. */
  readonly verb?: string | undefined;
  /** Plural name of the resource; absent: all, including non-resource paths. */
  readonly resource?: string | undefined;
  /** Name of the subresource; absent: all, and requests without one. */
  readonly subresource?: string | undefined;
  /** Namespace of the request; absent: all. */
  readonly namespace?: string | undefined;
  /** Name of the object; absent: all, and requests for collections. */
  readonly name?: string | undefined;
  /** Name of the user. */
  readonly user?: string | undefined;
  /** Additional condition. For event faults it gets the request of the watch. */
  readonly when?: ((request: JournalEntry) => boolean) | undefined;
  /** Number of times that the fault occurs. Default 1; `Infinity` until it is removed. */
  readonly times?: number | undefined;
  /** Number of matching requests to let through first. Default 0. */
  readonly skip?: number | undefined;

  /** Responds with this HTTP status and a Status body. */
  readonly status?: number | undefined;
  /** Reason in the Status. Default: the usual reason of the HTTP status. */
  readonly reason?: string | undefined;
  /** Message in the Status. Default: the usual message of the HTTP status. */
  readonly message?: string | undefined;
  /** Sent in the Status and in the `Retry-After` header. */
  readonly retryAfterSeconds?: number | undefined;
  /** Milliseconds of the server's clock to wait first, before any other effect of the rule. */
  readonly delayMs?: number | undefined;
  /** Never responds. */
  readonly hang?: true | undefined;
  /**
   * Resets the connection instead of responding: `"before"` (or `true`) the request is processed, or `"after"`, when a
   * write has happened and its response is lost.
   */
  readonly reset?: true | "after" | "before" | undefined;
  /** Cuts the connection after this many bytes of the response body. */
  readonly cutAfterBytes?: number | undefined;
  /** Sends the body in pieces of `bytes`, each after `everyMs` milliseconds of the server's clock. */
  readonly drip?: { readonly bytes: number; readonly everyMs: number } | undefined;
  /**
   * Labels the body as gzip although it is not. In process, where it is not decompressed, it does not match its content
   * type.
   */
  readonly garbage?: true | undefined;
  /**
   * Number of recent writes that reads don't see, like those of a lagging server; a watch then catches up. Without a
   * `verb` it applies to `get`, `list` and `watch`.
   */
  readonly staleBy?: number | undefined;

  /** Ends a watch with this ERROR event after its initial events. The rule then applies to watches only. */
  readonly eventError?: EventError | undefined;
  /**
   * Affects events of open watches instead of requests: the event is dropped, is sent twice, is cut in the middle
   * together with the connection, or is replaced by a 410. `verb` and `subresource` are then ignored, and `name` is the
   * object's name.
   */
  readonly event?: "drop" | "duplicate" | "expire" | "half" | undefined;
  /** Type of the affected events; absent: all, including bookmarks. */
  readonly eventType?: WireWatchEvent["type"] | undefined;
}

/** Names of the members of {@link FaultRule}. */
export const faultRuleOptions: OptionTable<FaultRule> = {
  cutAfterBytes: true,
  delayMs: true,
  drip: true,
  event: true,
  eventError: true,
  eventType: true,
  garbage: true,
  hang: true,
  message: true,
  name: true,
  namespace: true,
  reason: true,
  reset: true,
  resource: true,
  retryAfterSeconds: true,
  skip: true,
  staleBy: true,
  status: true,
  subresource: true,
  times: true,
  user: true,
  verb: true,
  when: true,
};

/** Content of an ERROR event. */
export interface EventError {
  /** HTTP status in the Status, such as 410. */
  readonly code: number;
  /** Reason in the Status, such as `Expired`. */
  readonly reason: string;
  /** Message in the Status. */
  readonly message: string;
}

const reads: ReadonlySet<string> = new Set(["get", "list", "watch"]);

/**
 * Returns whether a rule can affect a request: stale reads don't apply to writes or non-resource paths, and only
 * watches have events.
 */
export function strikes(
  { staleBy, eventError }: FaultRule,
  verb: string,
  isResource = true,
): boolean {
  return (
    (staleBy === undefined || (isResource && reads.has(verb))) &&
    (eventError === undefined || verb === "watch")
  );
}
