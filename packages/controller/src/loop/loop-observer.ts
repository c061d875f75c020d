import type { RunEnd } from "./run-end.js";

/** Observes the runs of a controller, for metrics, traces and `manager.events()`. */
export interface LoopObserver {
  /** A run begins. */
  runStarted?(run: ObservedRun): void;
  runEnded?(run: ObservedRun, end: RunEnd & { readonly durationMs: number }): void;
  /** A run took longer than `timeoutMs`. */
  timedOut?(run: ObservedRun): void;
  /** A change in the watch was the controller's own write. */
  ownEcho?(): void;
  /** The last attempt of a key failed. */
  gaveUp?(run: ObservedRun, error: unknown): void;
}

/** A run, as observers see it. */
export interface ObservedRun {
  readonly controller: string;
  readonly key: string;
  readonly attempt: number;
  readonly priority: number;
  /** Milliseconds that the key was ready before the run. */
  readonly waitedMs: number;
}

/** Returns an observer that tells several others. */
export function allObservers(observers: readonly LoopObserver[]): LoopObserver {
  const [only, ...others] = observers;
  if (only !== undefined && others.length === 0) {
    return only;
  }
  return {
    runStarted: (run) => {
      for (const one of observers) {
        one.runStarted?.(run);
      }
    },
    runEnded: (run, end) => {
      for (const one of observers) {
        one.runEnded?.(run, end);
      }
    },
    timedOut: (run) => {
      for (const one of observers) {
        one.timedOut?.(run);
      }
    },
    ownEcho: () => {
      for (const one of observers) {
        one.ownEcho?.();
      }
    },
    gaveUp: (run, error) => {
      for (const one of observers) {
        one.gaveUp?.(run, error);
      }
    },
  };
}
