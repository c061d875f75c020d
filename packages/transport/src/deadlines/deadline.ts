import { type Clock, type HttpRequest, longestTimerMs } from "@typekube/core/internal";

/** Returns true when a number of milliseconds is a limit. 0 is not, nor is a value that timers cannot hold (24 days). */
export function isLimit(timeoutMs: number): boolean {
  return timeoutMs > 0 && timeoutMs <= longestTimerMs;
}

/** Deadlines of one exchange. */
export interface Deadlines {
  /** Milliseconds until the response headers must arrive; 0 is no limit. */
  readonly headersMs: number;
  /** Milliseconds for the whole exchange, including the body; 0 is no limit. */
  readonly totalMs: number;
}

/**
 * Returns the deadlines of a request. A call with a timeout may spend all of it waiting for headers. For a stream the
 * time limits only the headers: its body is unlimited, except that of an error response, which gets the same time
 * again. So does that of an upgrade.
 */
export function deadlinesFor(
  request: Pick<HttpRequest, "headersTimeoutMs" | "mode" | "timeoutMs">,
  defaults: { readonly headersTimeoutMs: number; readonly timeoutMs: number },
): Deadlines {
  const limitMs = request.timeoutMs ?? defaults.headersTimeoutMs;
  const headersMs = shorter(request.headersTimeoutMs ?? 0, limitMs);
  if (request.mode !== "call") {
    return { headersMs, totalMs: 0 };
  }
  const totalMs = request.timeoutMs ?? defaults.timeoutMs;
  return { headersMs: isLimit(totalMs) && !isLimit(headersMs) ? totalMs : headersMs, totalMs };
}

/** Returns the shorter of two limits; either may be no limit. */
export function shorter(oneMs: number, otherMs: number): number {
  return isLimit(oneMs) && (!isLimit(otherMs) || oneMs < otherMs) ? oneMs : otherMs;
}

/**
 * Schedules a callback after `delayMs`, unless that is no limit. Returns a function that cancels it.
 *
 * @param isBackground - `true` when the timer need not keep the process alive. Default false.
 */
export function startDeadline(
  clock: Clock,
  delayMs: number,
  callback: () => void,
  isBackground?: boolean,
): () => void {
  return isLimit(delayMs) ? clock.schedule(delayMs, callback, isBackground) : () => {};
}
