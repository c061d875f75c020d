import type { RunEnd } from "./run-end.js";

/** What metrics, traces and `manager.events()` learn about the runs of a controller. */
export interface LoopObserver {
  /** A run begins. Returns a function that runs the reconciler, to give it a context. */
  runStarted?(run: ObservedRun): void;
  runEnded?(run: ObservedRun, end: RunEnd & { readonly durationMs: number }): void;
  /** A run took longer than `timeoutMs`. */
  timedOut?(run: ObservedRun): void;
  /** A change in the watch was the controller's own write. */
  ownEcho?(): void;
  /** The key of a run was given up after its last attempt. */
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
