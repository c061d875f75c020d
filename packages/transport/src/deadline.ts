import type { Clock } from "@typekube/core";

/** Node's timers fire at once above this; nobody waits 24 days for a call. */
const longestTimer = 2 ** 31 - 1;

/** Whether a number of milliseconds is a limit at all: 0 and what no timer can hold are none. */
export function isLimit(timeoutMs: number): boolean {
  return timeoutMs > 0 && timeoutMs <= longestTimer;
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
 * until its headers only, whatever comes later lives as long as it likes.
 */
export function deadlinesFor(
  request: { readonly mode: "call" | "stream"; readonly timeoutMs?: number | undefined },
  defaults: { readonly headersTimeoutMs: number; readonly timeoutMs: number },
): Deadlines {
  if (request.mode === "stream") {
    return { headersMs: request.timeoutMs ?? defaults.headersTimeoutMs, totalMs: 0 };
  }
  const totalMs = request.timeoutMs ?? defaults.timeoutMs;
  const headersMs = request.timeoutMs ?? defaults.headersTimeoutMs;
  return { headersMs: isLimit(totalMs) && !isLimit(headersMs) ? totalMs : headersMs, totalMs };
}

/** Calls back after `delayMs` unless that is no limit; returns what cancels it. */
export function startDeadline(clock: Clock, delayMs: number, callback: () => void): () => void {
  return isLimit(delayMs) ? clock.schedule(delayMs, callback) : () => {};
}
