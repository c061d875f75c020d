import type { NormalWorld } from "../world/normal-world.js";

/** The run without faults, with which others are compared. */
export interface Expectation {
  readonly world: NormalWorld;
  /** The operator's calls. */
  readonly calls: number;
  /** Its writes at rest. */
  readonly restWrites: number;
}
