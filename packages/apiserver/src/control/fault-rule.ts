import type { WireWatchEvent } from "@typekube/core/internal";
import type { JournalEntry } from "./journal.js";

/** What goes wrong, and for which requests. */
export interface FaultRule {
  /** `get list watch create update patch delete deletecollection`; absent: all. */
  readonly verb?: string;
  /** The plural name; absent: all, paths that are no resources too. */
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The name of the user. */
  readonly user?: string;
  /** Asks whatever else must be so. Of events, it is asked about the request of their watch. */
  readonly when?: (request: JournalEntry) => boolean;
  /** How often it strikes. Default 1; `Infinity` until it is removed. */
  readonly times?: number;
  /** How many matching requests are let through first. Default 0. */
  readonly skip?: number;

  /** Answers this HTTP status with a Status body. */
  readonly status?: number;
  readonly reason?: string;
  readonly message?: string;
  /** Goes into the Status and into the `Retry-After` header. */
  readonly retryAfterSeconds?: number;
  /** Waits so many milliseconds of the server's clock before anything else, also before what is wrong. */
  readonly delayMs?: number;
  /** Never answers. */
  readonly hang?: true;
  /**
   * Resets the connection instead of answering: `"before"` (or `true`) the request is acted upon, or `"after"`: then a
   * write has happened and its answer is lost.
   */
  readonly reset?: true | "after" | "before";
  /** Answers, but cuts the connection after so many bytes of the body. */
  readonly cutAfterBytes?: number;
  /** Sends the body in pieces of so many bytes, with so many milliseconds of the server's clock before each. */
  readonly drip?: { readonly bytes: number; readonly everyMs: number };
  /** The body claims to be compressed and is not. In process, where nothing unpacks it, it is not what its type says. */
  readonly garbage?: true;
  /**
   * Reads see the state so many writes ago, as of a server that lags; a watch then catches up. Without a `verb` it strikes
   * `get`, `list` and `watch`.
   */
  readonly staleBy?: number;

  /** Ends a watch with this ERROR event, after what it begins with. Nothing but watches is struck then. */
  readonly eventError?: EventError;
  /**
   * Strikes events of open watches instead of requests: the event is left out, comes twice, breaks off in its middle
   * together with the connection, or a 410 comes in its place. `verb` and `subresource` play no part then, `name` is that
   * of the object.
   */
  readonly event?: "drop" | "duplicate" | "expire" | "half";
  /** Which events; absent: all of them, bookmarks too. */
  readonly eventType?: WireWatchEvent["type"];
}

/** What an ERROR event says. */
export interface EventError {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

const reads: ReadonlySet<string> = new Set(["get", "list", "watch"]);

/**
 * Whether a rule could do anything to a request: a write reads nothing old, what is no resource has no state, and only watches
 * have events.
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
