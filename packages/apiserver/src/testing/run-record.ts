import type { LoopObserver } from "@typekube/controller/internal";
import type { Clock } from "@typekube/core/internal";

/** How a run of a test ended. */
export type RunOutcome = "failed" | "notReady" | "requeue" | "success";

/** A run that happened in a test. */
export interface RecordedRun {
  readonly controller: string;
  readonly key: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  readonly outcome: RunOutcome;
  /** Clock of the test, in milliseconds since 1970. */
  readonly endedAtMs: number;
  /** Reason of `notReady`. */
  readonly reason?: string | undefined;
  /** Milliseconds after which the run asked for the next one. */
  readonly requeueAfterMs?: number | undefined;
  readonly error?: Error | undefined;
}

const outcomes = {
  error: "failed",
  requeue: "notReady",
  requeue_after: "requeue",
  success: "success",
} as const;

/** Returns an observer that records the runs of all controllers. */
export function recordRuns(runs: RecordedRun[], clock: Clock): LoopObserver {
  return {
    runEnded({ controller, key, attempt }, { result, reason, requeueAfterMs, error }) {
      runs.push({
        controller,
        key,
        attempt,
        outcome: outcomes[result],
        endedAtMs: clock.now(),
        ...(reason === undefined ? {} : { reason }),
        ...(requeueAfterMs === undefined ? {} : { requeueAfterMs }),
        ...(error === undefined ? {} : { error: error as Error }),
      });
    },
  };
}
