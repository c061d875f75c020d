import { KubeError } from "@typekube/core";
import {
  assertOptions,
  callback,
  flag,
  integerFrom,
  type OptionTable,
  oneOf,
  text,
} from "@typekube/core/internal";
import { type CallOptions, callOptions } from "../options/call-options.js";
import { sinceSecondsOf } from "./since-seconds.js";

/**
 * Options of `logs`. `timeoutMs` limits the start of each request only: a log may be read for hours, and
 * `AbortSignal.timeout()` as `signal` ends it.
 */
export interface LogOptions extends CallOptions {
  /**
   * Container of the pod: a regular, init or ephemeral one. Default: the one that the annotation
   * `kubectl.kubernetes.io/default-container` names, else the first.
   */
  readonly container?: string | undefined;
  /**
   * `true` waits for new lines until the container ends. A connection that breaks is opened again at the last line.
   * Default false.
   */
  readonly follow?: boolean | undefined;
  /** `true` reads the log of the previous instance of the container. Default false. */
  readonly previous?: boolean | undefined;
  /** `true` leaves the time of each line in front of it, and a space. Default false. */
  readonly timestamps?: boolean | undefined;
  /** Lines of the last seconds only, by the node's clock. At least 1. */
  readonly sinceSeconds?: number | undefined;
  /** Lines from this time on: RFC 3339. Servers ignore the fraction of a second. */
  readonly sinceTime?: string | undefined;
  /** `sinceTime` as a Date, or `sinceSeconds` as a duration such as `"5m"` or `"1h30m"`. */
  readonly since?: Date | string | undefined;
  /** Ends at the first line from this time on. Not with `follow`, whose `signal` ends it. */
  readonly until?: Date | undefined;
  /** Only the last lines, counted before `sinceSeconds` and `sinceTime`. With 0, `follow` yields new lines only. */
  readonly tailLines?: number | undefined;
  /** Ends after this number of bytes, line ends included. At least 1. */
  readonly limitBytes?: number | undefined;
  /** `true` lets the API server accept any certificate of the node. Default false. */
  readonly insecureSkipTLSVerifyBackend?: boolean | undefined;
  /** Only this output of the container. Needs the feature gate PodLogsQuerySplitStreams, and excludes `tailLines`. */
  readonly stream?: "All" | "Stderr" | "Stdout" | undefined;
  /**
   * Decides how `follow` handles a restart of the container: `stop` ends, as kubectl does; `follow` goes on with the
   * next instance until the container will not run again. Default `stop`.
   */
  readonly restarts?: "follow" | "stop" | undefined;
  /** Leaves out lines for which it returns `false`. Receives the text without its time. */
  readonly grep?: ((line: string) => boolean) | undefined;
}

/** How `logs` yields lines. At most one is `true`; each has a signature of its own. */
export interface LogForms {
  readonly events?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly raw?: boolean | undefined;
}

const date = {
  mustBe: "a valid Date",
  isValid: (value: unknown) => value instanceof Date && !Number.isNaN(value.getTime()),
};

/** Names and checks of both. */
export const logOptions: OptionTable<LogForms & LogOptions> = {
  ...callOptions,
  container: text,
  events: flag,
  follow: flag,
  grep: callback,
  insecureSkipTLSVerifyBackend: flag,
  json: flag,
  limitBytes: integerFrom(1),
  previous: flag,
  raw: flag,
  restarts: oneOf("follow", "stop"),
  since: {
    mustBe: "a Date or a duration",
    hint: 'such as "30s", "5m" or "1h30m"',
    isValid: (value) =>
      typeof value === "string" ? sinceSecondsOf(value) !== undefined : date.isValid(value),
  },
  sinceSeconds: integerFrom(1),
  sinceTime: {
    mustBe: "a time in RFC 3339",
    hint: 'such as "2026-01-01T00:00:00Z"',
    isValid: (value) => typeof value === "string" && rfc3339.test(value),
  },
  stream: oneOf("All", "Stderr", "Stdout"),
  tailLines: integerFrom(0),
  timestamps: flag,
  until: date,
};

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Rejects options that the server would reject (`validation.ValidatePodLogOptions`), and combinations without a meaning.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertLogOptions(options: LogForms & LogOptions): void {
  assertOptions("logs()", options, logOptions);
  const { since, sinceSeconds, sinceTime, stream, tailLines, until, follow } = options;
  if ([since, sinceSeconds, sinceTime].filter((one) => one !== undefined).length > 1) {
    throw refused("at most one of since, sinceSeconds and sinceTime may be specified");
  }
  if (stream !== undefined && stream !== "All" && tailLines !== undefined) {
    throw refused("stream: a single stream and tailLines exclude each other");
  }
  if (until !== undefined && follow) {
    throw refused("until: not with follow", "end it with signal: AbortSignal.timeout(ms)");
  }
  if ([options.events, options.json, options.raw].filter(Boolean).length > 1) {
    throw refused("at most one of events, json and raw may be true");
  }
}

function refused(message: string, hint?: string): KubeError {
  return new KubeError("InvalidArgument", message, { hint });
}
