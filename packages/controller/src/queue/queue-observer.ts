/**
 * Observes a queue, for metrics. All callbacks are optional and synchronous, and must not throw.
 *
 * Counts as client-go and controller-runtime do (`util/workqueue/metrics.go`, `priorityqueue/metrics.go`): a key is added
 * when it becomes ready, once until it is taken, even if it is still running from before.
 */
export interface QueueObserver {
  /** Called when a key becomes ready. (`workqueue_adds_total`) */
  readonly onAdd?: ((priority: number) => void) | undefined;
  /** Called when a key is taken. (`workqueue_queue_duration_seconds`) */
  readonly onTake?: ((waitedMs: number) => void) | undefined;
  /** Called when a run is done. (`workqueue_work_duration_seconds`) */
  readonly onDone?: ((workMs: number) => void) | undefined;
  /** Called for each add with a delay. (`workqueue_retries_total`) */
  readonly onRetry?: (() => void) | undefined;
  /** Called when the number of ready keys of a priority changes. (`workqueue_depth`) */
  readonly onDepth?: ((priority: number, change: 1 | -1) => void) | undefined;
}
