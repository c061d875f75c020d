import { type Clock, monotonicNow, sleep } from "@typekube/core/internal";

/** Milliseconds between two polls, doubling from the first to the last. */
const firstPauseMs = 50;
const lastPauseMs = 1_000;

/** Polls until `look` returns a value. Returns `undefined` when the time runs out. */
export async function poll<T>(
  clock: Clock,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const end = monotonicNow(clock) + timeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, lastPauseMs)) {
    const found = await look();
    const leftMs = end - monotonicNow(clock);
    if (found !== undefined || leftMs <= 0) {
      return found;
    }
    await sleep(clock, Math.min(pauseMs, leftMs), signal);
  }
}
