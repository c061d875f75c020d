import type { NormalWorld } from "../world/normal-world.js";

/** The run without faults, with which others are compared. */
export interface Expectation {
  readonly world: NormalWorld;
  /** The operator's calls. */
  readonly calls: number;
  /** True when they have no end. */
  readonly isEndless: boolean;
  /** Its writes at rest. */
  readonly restWrites: number;
}
