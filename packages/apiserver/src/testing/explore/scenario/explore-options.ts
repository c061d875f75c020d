import {
  amount,
  integerFrom,
  type OptionCheck,
  type OptionTable,
  text,
} from "@typekube/core/internal";
import { type FaultType, faultTypes } from "../faults/explored-fault.js";

/** Options of `explore()`. */
export interface ExploreOptions {
  /**
   * Seed of the first run with several faults; each further run has the next one. The operator's random numbers have it, too,
   * in all runs. A `replay` with another seed keeps that. Default 1.
   */
  readonly seed?: number | undefined;
  /** Number of runs with several faults, after all runs with one. Default 200. */
  readonly runs?: number | undefined;
  /**
   * Milliseconds of real time after which no further run begins, and a run without faults ends that takes long; what was left
   * out is reported. Default: no limit.
   */
  readonly budgetMs?: number | undefined;
  /** Types of faults to try, alone and together. An empty list plays the run without faults only. Default: all. */
  readonly faults?: readonly FaultType[] | undefined;
  /** Findings after which the search ends. Default 5. */
  readonly maxFindings?: number | undefined;
  /**
   * Repeats the run of a finding's `replay` instead of a search. It does not pass when a fault no longer occurs. Default: none.
   */
  readonly replay?: string | undefined;
  /**
   * Replays of findings that are known. They are played first and reported as known, with the number of runs that fail in the
   * same objects and fields, and are no reason to fail. `notExplored` names those that no longer fail. Default: none.
   */
  readonly known?: readonly string[] | undefined;
  /** Path of a file for the findings as a page, written when there are some. Default: none. */
  readonly page?: string | undefined;
}

const texts: OptionCheck = {
  mustBe: "an array of texts",
  isValid: (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
};

/** Names and checks of {@link ExploreOptions}. */
export const exploreOptions: OptionTable<ExploreOptions> = {
  budgetMs: amount,
  faults: {
    mustBe: `an array of ${faultTypes.join(", ")}`,
    hint: "leave it out to try all",
    isValid: (value) => Array.isArray(value) && value.every((one) => faultTypes.includes(one)),
  },
  known: texts,
  maxFindings: integerFrom(1),
  page: text,
  replay: text,
  runs: integerFrom(0),
  seed: integerFrom(0),
};
