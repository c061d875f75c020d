import { type Clock, monotonicNow } from "@typekube/core/internal";
import { type Entry, isReady } from "./entries/entry.js";
import type { RateLimiter } from "./limiters/rate-limiter.js";
import type { QueueEntry, QueueEntryState, UnfinishedWork } from "./work-queue.js";

/** Describes up to `limit` keys. */
export function snapshotOf(
  entries: Iterable<Entry>,
  { clock, limiter }: { readonly clock: Clock; readonly limiter: RateLimiter },
  limit: number,
): QueueEntry[] {
  const nowMs = monotonicNow(clock);
  // The readers of a snapshot know the time of day only.
  const epochMs = clock.now() - nowMs;
  const found: QueueEntry[] = [];
  for (const entry of entries) {
    if (found.length >= limit) {
      break;
    }
    const { key, run, wait } = entry;
    const state = stateOf(entry);
    const sinceMs = run === undefined ? entry.sinceMs : run.startedAtMs;
    found.push({
      key,
      state,
      priority: state === "running" && run !== undefined ? run.priority : entry.priority,
      failures: limiter.requeues(key),
      readyAtMs: wait && epochMs + wait.readyAtMs,
      forMs: state === "waiting" ? undefined : nowMs - sinceMs,
    });
  }
  return found;
}

function stateOf({ flags, run }: Entry): QueueEntryState {
  const pending = (flags & isReady) !== 0;
  if (run === undefined) {
    return pending ? "ready" : "waiting";
  }
  return pending ? "running+again" : "running";
}

/** Sums up the runs of a list of running keys. */
export function unfinishedWorkOf(head: Entry | undefined, nowMs: number): UnfinishedWork {
  let totalMs = 0;
  let longestMs = 0;
  for (let entry = head; entry !== undefined; entry = entry.next) {
    const runMs = nowMs - (entry.run?.startedAtMs ?? nowMs);
    totalMs += runMs;
    longestMs = Math.max(longestMs, runMs);
  }
  return { totalMs, longestMs };
}
