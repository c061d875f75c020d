import type { Replay } from "./replay.js";

/** A run to try. */
export interface Plan {
  readonly replay: Replay;
  /** Seed of its faults; `undefined` for one fault alone. */
  readonly seed?: number;
}
