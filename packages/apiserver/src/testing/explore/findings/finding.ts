import type { ExploredFault } from "../faults/explored-fault.js";
import type { FindingKind } from "../record/run-result.js";
import type { TraceLine } from "../record/trace.js";

/** A way in which an operator goes wrong, with the shortest run that shows it. */
export interface Finding {
  readonly kind: FindingKind;
  readonly message: string;
  /** The faults around the operator. */
  readonly faults: readonly ExploredFault[];
  /** Names of the steps that happen. */
  readonly steps: readonly string[];
  /** The events of the run, without the operator's reads. */
  readonly lines: readonly TraceLine[];
  /** All that happens, with reads and events. */
  readonly allLines: readonly TraceLine[];
  /** How the world differs from that of the run without faults. */
  readonly difference: readonly string[];
  /**
   * Names a larger `stableMs` when the operator changes the world without faults, too, only after the end of that run: the
   * finding may be no mistake then. Otherwise `undefined`.
   */
  readonly advice?: string | undefined;
  /** Seed of the run that found it; `undefined` when one fault alone shows it. */
  readonly seed?: number | undefined;
  /** Text that repeats the run, with the seed of the operator's random numbers: `explore(scenario, { replay })`. */
  readonly replay: string;
  /**
   * Further runs of the search that failed in the same way, and were not shown: with the same kind, in the same objects and
   * fields. `faults` counts the different faults in them.
   */
  readonly alsoIn: { readonly runs: number; readonly faults: number };
}

/** A finding before the end of its search. */
export type DescribedFinding = Omit<Finding, "alsoIn">;
