import type { Cause, StoredCauses } from "../run/causes.js";
import type { AddOptions, TakenKey, WorkQueue } from "./work-queue.js";

/** A key that was taken, with the causes of its adds. */
export interface CausedKey extends TakenKey {
  readonly causes: StoredCauses;
}

/**
 * A queue that remembers why its keys were added. The causes stand in the queue's own entries: a second table of keys
 * would be a fifth of its memory and of its time.
 */
export interface CausedQueue extends WorkQueue {
  add(key: string, options?: AddOptions, cause?: Cause): void;
  takeNow(): CausedKey | undefined;
  /** Returns the causes of the next run of a key. */
  causesOf(key: string): readonly Cause[];
  forgetCauses(key: string): void;
}
