import type { NormalWorld } from "../world/normal-world.js";

/** What a run is compared with: the run without faults. */
export interface Expectation {
  readonly world: NormalWorld;
  /** The operator's calls. */
  readonly calls: number;
  /** Its writes at rest. */
  readonly restWrites: number;
}
