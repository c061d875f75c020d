import type { StoredCauses } from "../../run/causes.js";
import type { HeapItem } from "./indexed-heap.js";
import type { Linked } from "./linked-list.js";

/** The key should be taken as soon as possible; in a running key, taken once more after the run. */
export const isReady = 1;
/** The key has been ready for so long that it counts as one of priority 0. */
export const isAged = 2;
/** The key waits for a slot of its group, in the group's own lanes. */
export const isParked = 4;
/** The key was parked before, so it belongs before the keys that were not. */
export const isReturned = 8;

/** The delay of one key. */
export interface Wait extends HeapItem {
  readonly entry: Entry;
  /** Moment at which the key becomes ready, on the monotonic clock. */
  readyAtMs: number;
  /** Orders the waits of one moment. */
  order: number;
}

/** A run of a key. */
export interface Run {
  readonly priority: number;
  /** Start on the monotonic clock. */
  readonly startedAtMs: number;
}

/**
 * All that a queue knows of one key; absent for idle keys. There may be 100,000 of them, so each field counts: the links
 * are those of a lane while the key is ready, and those of the list of running keys during a run.
 */
export class Entry implements Linked<Entry> {
  readonly key: string;
  /** Priority of the pending run, ready or waiting. */
  priority: number;
  /** Sum of {@link isReady} and the others; 0 if the key is not ready. */
  flags = 0;
  /** Moment at which the key became ready, on the monotonic clock. */
  sinceMs: number;
  prev: Entry | undefined = undefined;
  next: Entry | undefined = undefined;
  /** Links of the age list. */
  older: Entry | undefined = undefined;
  newer: Entry | undefined = undefined;
  /** Causes of the next run. */
  causes: StoredCauses = undefined;
  /** The pending delay. */
  wait: Wait | undefined = undefined;
  /** The current run. */
  run: Run | undefined = undefined;

  constructor(key: string, priority: number, sinceMs: number) {
    this.key = key;
    this.priority = priority;
    this.sinceMs = sinceMs;
  }
}
