/** How a run ended; the names of the results are those of controller-runtime's metrics. */
export interface RunEnd {
  readonly result: "error" | "requeue" | "requeue_after" | "success";
  /** For `requeue_after`. */
  readonly requeueAfterMs?: number | undefined;
  /** Priority of the following run. */
  readonly priority?: number | undefined;
  /** For `requeue`: what the run waits for. */
  readonly reason?: string | undefined;
  /** For `error`. */
  readonly error?: unknown;
  /** For `error`: the finalizer that failed. */
  readonly finalizer?: string | undefined;
  /** Why nothing was reconciled. */
  readonly skipped?: "deleted" | "gone" | "paused" | undefined;
}
