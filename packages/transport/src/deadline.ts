import { type Clock, type HttpRequest, longestTimerMs } from "@typekube/core/internal";

/** Whether a number of milliseconds is a limit at all: 0 is none, nor is what no timer can hold. Nobody waits 24 days for a call. */
export function isLimit(timeoutMs: number): boolean {
  return timeoutMs > 0 && timeoutMs <= longestTimerMs;
}

/** The deadlines of one exchange. */
export interface Deadlines {
  /** Milliseconds until the headers must be there; 0 is no limit. */
  readonly headersMs: number;
  /** Milliseconds for everything, the body included; 0 is no limit. */
  readonly totalMs: number;
}

/**
 * The deadlines for a request. A call that names its time may use all of it for waiting; a stream's time is
 * until its headers only, whatever comes later lives as long as it likes, unless it is a refusal: that has the same time again.
 */
export function deadlinesFor(
  request: Pick<HttpRequest, "headersTimeoutMs" | "mode" | "timeoutMs">,
  defaults: { readonly headersTimeoutMs: number; readonly timeoutMs: number },
): Deadlines {
  const limitMs = request.timeoutMs ?? defaults.headersTimeoutMs;
  const headersMs = shorter(request.headersTimeoutMs ?? 0, limitMs);
  if (request.mode === "stream") {
    return { headersMs, totalMs: 0 };
  }
  const totalMs = request.timeoutMs ?? defaults.timeoutMs;
  return { headersMs: isLimit(totalMs) && !isLimit(headersMs) ? totalMs : headersMs, totalMs };
}

/** The shorter one of two limits, either of which may be none. */
export function shorter(oneMs: number, otherMs: number): number {
  return isLimit(oneMs) && (!isLimit(otherMs) || oneMs < otherMs) ? oneMs : otherMs;
}

/**
 * Calls back after `delayMs` unless that is no limit; returns what cancels it.
 *
 * @param isBackground - the program need not stay alive for it. Default false.
 */
export function startDeadline(
  clock: Clock,
  delayMs: number,
  callback: () => void,
  isBackground?: boolean,
): () => void {
  return isLimit(delayMs) ? clock.schedule(delayMs, callback, isBackground) : () => {};
}
