import type { WireWatchEvent } from "@typekube/core/internal";
import type { JournalEntry } from "./journal.js";

/** A fault, and the requests that it applies to. */
export interface FaultRule {
  /** One of `get list watch create update patch delete deletecollection`; absent: all. */
  readonly verb?: string;
  /** Plural name of the resource; absent: all, including non-resource paths. */
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** Name of the user. */
  readonly user?: string;
  /** Additional condition. For event faults it gets the request of the watch. */
  readonly when?: (request: JournalEntry) => boolean;
  /** Number of times that the fault occurs. Default 1; `Infinity` until it is removed. */
  readonly times?: number;
  /** Number of matching requests to let through first. Default 0. */
  readonly skip?: number;

  /** Responds with this HTTP status and a Status body. */
  readonly status?: number;
  readonly reason?: string;
  readonly message?: string;
  /** Sent in the Status and in the `Retry-After` header. */
  readonly retryAfterSeconds?: number;
  /** Milliseconds of the server's clock to wait first, before any other effect of the rule. */
  readonly delayMs?: number;
  /** Never responds. */
  readonly hang?: true;
  /**
   * Resets the connection instead of responding: `"before"` (or `true`) the request is processed, or `"after"`, when a
   * write has happened and its response is lost.
   */
  readonly reset?: true | "after" | "before";
  /** Cuts the connection after this many bytes of the response body. */
  readonly cutAfterBytes?: number;
  /** Sends the body in pieces of `bytes`, each after `everyMs` milliseconds of the server's clock. */
  readonly drip?: { readonly bytes: number; readonly everyMs: number };
  /**
   * Labels the body as gzip although it is not. In process, where it is not decompressed, it does not match its content
   * type.
   */
  readonly garbage?: true;
  /**
   * Number of recent writes that reads don't see, like those of a lagging server; a watch then catches up. Without a
   * `verb` it applies to `get`, `list` and `watch`.
   */
  readonly staleBy?: number;

  /** Ends a watch with this ERROR event after its initial events. The rule then applies to watches only. */
  readonly eventError?: EventError;
  /**
   * Affects events of open watches instead of requests: the event is dropped, is sent twice, is cut in the middle
   * together with the connection, or is replaced by a 410. `verb` and `subresource` are then ignored, and `name` is the
   * object's name.
   */
  readonly event?: "drop" | "duplicate" | "expire" | "half";
  /** Type of the affected events; absent: all, including bookmarks. */
  readonly eventType?: WireWatchEvent["type"];
}

/** Content of an ERROR event. */
export interface EventError {
  readonly code: number;
  readonly reason: string;
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
