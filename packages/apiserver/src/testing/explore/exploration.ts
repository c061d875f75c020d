import type { ExploredFault } from "./faults/explored-fault.js";
import type { Finding } from "./findings/finding.js";
import type { Coverage } from "./report/coverage.js";

/** Result of a search. */
export interface Exploration {
  /** Name of the scenario. */
  readonly name: string | undefined;
  readonly seed: number;
  /** Number of complete runs, with those that shortened findings, and without those that all others are compared with. */
  readonly runs: number;
  /** New findings, in the order in which they were found. */
  readonly findings: readonly Finding[];
  /** Findings whose replay was given as known. */
  readonly known: readonly Finding[];
  /** Faults of the option `replay` that did not occur in its run. Empty for a search. */
  readonly absentFaults: readonly ExploredFault[];
  readonly coverage: Coverage;
  /** Milliseconds of real time for all runs. Not part of the reports, which are equal for equal seeds. */
  readonly elapsedMs: number;
  /** Returns all of it as text. */
  text(): string;
  /** Returns all of it as one HTML page, without references to anything else. */
  html(): string;
  /**
   * Throws when there are new findings, or when a fault of the option `replay` did not occur: the replay no longer tests what
   * it was made for.
   *
   * @throws {KubeError} `InvalidState` with {@link text}.
   */
  assertPassed(): void;
}
