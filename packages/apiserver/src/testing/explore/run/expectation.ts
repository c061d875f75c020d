import type { NormalWorld, StoredKeys } from "../world/normal-world.js";

/** The run without faults, with which others are compared. */
export interface Expectation {
  readonly world: NormalWorld;
  /** Keys of all objects that were written. */
  readonly written: StoredKeys;
  /** The operator's calls. */
  readonly calls: number;
  /** True when they have no end. */
  readonly isEndless: boolean;
  /** Milliseconds after the last step until its world was right. */
  readonly settledMs: number;
  /** Time of the run at its end, in milliseconds. */
  readonly endMs: number;
  /** The longest wait of a step, in milliseconds. */
  readonly longestWaitMs: number;
  /** Its writes at rest. */
  readonly restWrites: number;
}
