import {
  callback,
  integerFrom,
  type OptionCheck,
  type OptionTable,
  oneOf,
  type WireWatchEvent,
} from "@typekube/core/internal";
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

/** Verbs of resource requests, and methods of requests to other paths. */
const verbs = "get list watch create update patch delete deletecollection head options post put";

const count = integerFrom(0);
const always: OptionCheck = { mustBe: "true", isValid: (value) => value === true };

/** Members of {@link FaultRule}, with their checks. */
export const faultRuleOptions: OptionTable<FaultRule> = {
  cutAfterBytes: count,
  delayMs: { mustBe: "a number of at least 0", isValid: isTime },
  drip: {
    mustBe: "bytes of at least 1, and everyMs of at least 0",
    isValid: (value) => {
      const { bytes, everyMs } = (value ?? {}) as {
        readonly bytes: unknown;
        readonly everyMs: unknown;
      };
      return integerFrom(1).isValid(bytes) && isTime(everyMs);
    },
  },
  event: oneOf("drop", "duplicate", "expire", "half"),
  eventError: true,
  eventType: oneOf("ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"),
  garbage: always,
  hang: always,
  message: true,
  name: true,
  namespace: true,
  reason: true,
  reset: {
    mustBe: 'true, "after" or "before"',
    isValid: (value) => [true, "after", "before"].some((one) => one === value),
  },
  resource: {
    mustBe: 'a plural name such as "pods"',
    isValid: (value) => /^[a-z0-9-]+$/.test(String(value)),
  },
  retryAfterSeconds: count,
  skip: count,
  staleBy: count,
  status: {
    mustBe: "an integer from 400 to 599",
    isValid: (value) => integerFrom(400).isValid(value) && Number(value) <= 599,
  },
  subresource: true,
  times: {
    mustBe: "an integer of at least 0, or Infinity",
    isValid: (value) => value === Number.POSITIVE_INFINITY || count.isValid(value),
  },
  user: true,
  verb: oneOf(...verbs.split(" ")),
  when: callback,
};

function isTime(value: unknown): boolean {
  return Number.isFinite(value) && Number(value) >= 0;
}

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
