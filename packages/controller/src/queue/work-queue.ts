/** A key that was taken from a queue; {@link WorkQueue.done} must follow. */
export interface TakenKey {
  readonly key: string;
  readonly priority: number;
  /** Milliseconds that the key was ready before it was taken, without the delay of a delayed add. */
  readonly waitedMs: number;
}

/** Options of {@link WorkQueue.add}. */
export interface AddOptions {
  /** Keys of a higher priority are taken first. An integer. Default 0. Ignored by the classic queue. */
  readonly priority?: number | undefined;
  /** Milliseconds after which the key becomes ready. Default 0; a negative number counts as 0. */
  readonly afterMs?: number | undefined;
}

/** Options of {@link WorkQueue.retry}. */
export interface RetryOptions {
  /** Minimum of the delay in milliseconds, such as the Retry-After of a response. Default 0. */
  readonly notBeforeMs?: number | undefined;
  /** Default: the priority with which the key was taken. */
  readonly priority?: number | undefined;
}

/** Options of {@link WorkQueue.close}. */
export interface CloseOptions {
  /** `true` to hand out the ready keys before the queue ends. Default false. */
  readonly drain?: boolean | undefined;
}

/** Options of {@link WorkQueue.snapshot}. */
export interface SnapshotOptions {
  /** Maximum of entries. Default: all keys. */
  readonly limit?: number | undefined;
}

/** State of a key in a queue. A key in no state is idle, and the queue does not hold it. */
export type QueueEntryState =
  /** Becomes ready at `readyAtMs`. */
  | "waiting"
  /** Can be taken, unless its group has reached its concurrency. */
  | "ready"
  /** Was taken and is not done. With `readyAtMs`, it becomes ready again at that time. */
  | "running"
  /** Was taken and is not done; becomes ready as soon as it is. */
  | "running+again";

/** A key of a queue, as {@link WorkQueue.snapshot} returns it. */
export interface QueueEntry {
  readonly key: string;
  readonly state: QueueEntryState;
  readonly priority: number;
  /** Failures since the last {@link WorkQueue.forget}. */
  readonly failures: number;
  /** End of the delay, in milliseconds since the epoch. */
  readonly readyAtMs?: number | undefined;
  /** Milliseconds since the key became ready or its run began; `undefined` while it waits. */
  readonly forMs?: number | undefined;
}

/** Sum and maximum of the runs in progress. (client-go `unfinished_work_seconds`, `longest_running_processor_seconds`) */
export interface UnfinishedWork {
  readonly totalMs: number;
  readonly longestMs: number;
}

/**
 * Keys that wait for a run. The queue holds each key once, however often it is added, and never hands out a key that is
 * running: a key added during its run becomes ready again when the run is done, at the end of its priority.
 *
 * Everything but {@link take} and {@link close} is synchronous. An add takes the same time however many keys there are; a
 * delayed add is logarithmic.
 */
export interface WorkQueue {
  /** Number of ready keys, including those whose group has reached its concurrency. */
  readonly depth: number;
  /** Number of delayed keys. */
  readonly waiting: number;
  /** Number of keys that were taken and are not done. */
  readonly running: number;
  /**
   * Adds a key. Ignored after {@link close}.
   *
   * In the priority queue, the highest of two priorities wins, and the earliest of two moments: an add without a delay
   * ends the delay of a waiting key, and a delayed add leaves a ready key ready. A key whose priority rises moves to the
   * end of the new one. In the classic queue, as in client-go, delays stand apart: a key that waits and is added without
   * a delay is ready now, and once more when the delay has passed.
   *
   * @throws {KubeError} `InvalidArgument` if the key is not a string, or an option is invalid; the queue is unchanged.
   */
  add(key: string, options?: AddOptions): void;
  /**
   * Counts a failure of a key, and adds the key after the rate limiter's delay. Called before {@link done}, it keeps the
   * priority of the run. Without effect on the queue after {@link close}.
   *
   * @returns the delay in milliseconds.
   * @throws {KubeError} `InvalidArgument` if an option is invalid; the failure is not counted.
   */
  retry(key: string, options?: RetryOptions): number;
  /** Forgets the failures of a key, as after a success or when its object is gone. Its pending delay remains. */
  forget(key: string): void;
  /** Returns the number of failures of a key since the last {@link forget}. */
  requeues(key: string): number;
  /** Drops the pending run of a key, ready or delayed. A run in progress goes on. */
  remove(key: string): void;
  /** Takes the key whose turn it is; `undefined` if there is no ready key, or each one's group is busy. */
  takeNow(): TakenKey | undefined;
  /**
   * Takes the key whose turn it is, or waits for one; calls are served in their order. Resolves to `undefined` once the
   * queue is closed and empty. Rejects with the signal's reason when the signal aborts; no key is lost by that.
   */
  take(signal?: AbortSignal): Promise<TakenKey | undefined>;
  /** Ends the run of a key. Ignores a key that is not running. */
  done(key: string): void;
  /**
   * Registers a callback for ready keys: it is called after keys became ready or a group's slot became free, while no
   * {@link take} waits. One call may stand for several keys, and another consumer may have taken them, so call
   * {@link takeNow} until it returns `undefined`. The callback runs inside of the call that made the key ready, and must
   * not throw.
   *
   * @returns a function that removes the callback.
   */
  onReady(callback: () => void): () => void;
  /**
   * Ends the queue: drops delayed keys, and ignores further adds. A second call changes nothing, except that one without
   * `drain` ends the draining.
   *
   * The priority queue drops the ready keys, too, since a controller that starts again lists all objects; the returned
   * promise resolves when the last run is done. The classic queue, as client-go's, still hands out the ready keys, and
   * the promise resolves at once. With `drain`, both hand out the ready keys, and the promise resolves when the last one
   * is done.
   */
  close(options?: CloseOptions): Promise<void>;
  /** Returns the keys of the queue, in no particular order. */
  snapshot(options?: SnapshotOptions): QueueEntry[];
  /** Returns how long the runs in progress have been running. */
  unfinishedWork(): UnfinishedWork;
}
