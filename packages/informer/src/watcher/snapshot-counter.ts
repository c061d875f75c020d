import type { SnapshotProgress } from "./watcher-options.js";

/** Counts the objects of the snapshot in progress, and reports them. */
export class SnapshotCounter {
  readonly #onProgress: (progress: SnapshotProgress) => void;
  #received = 0;

  constructor(onProgress: (progress: SnapshotProgress) => void) {
    this.#onProgress = onProgress;
  }

  /** Counts objects that arrived. */
  add(count: number): void {
    this.#received += count;
  }

  /**
   * Reports the objects received so far; nothing before the first one.
   *
   * @param remaining - estimate of the objects still to come; `undefined` when it is unknown.
   */
  report(remaining: number | undefined): void {
    if (this.#received > 0) {
      this.#onProgress({ received: this.#received, remaining });
    }
  }

  /** Reports the end of the snapshot. */
  complete(): void {
    this.report(0);
    this.reset();
  }

  /** Starts over: the snapshot failed, or begins again. */
  reset(): void {
    this.#received = 0;
  }
}
