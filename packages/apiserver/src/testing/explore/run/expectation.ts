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
  /** Its writes at rest. */
  readonly restWrites: number;
}
