import type { Measurement } from "./measurement.js";
import type { Baseline } from "./plan.js";

/**
 * A figure that a program should reach: at most `most` times the baseline's, or at most so many units without one, or where `isExcess`
 * says so at most so many microseconds more than the baseline's for each object.
 */
export interface Goal {
  readonly what: string;
  readonly task: string;
  readonly program: string;
  readonly metric: keyof Pick<
    Measurement,
    "blockMs" | "cpuMs" | "keptMb" | "lagP99Ms" | "mainMs" | "maxRssMb" | "wallMs"
  >;
  readonly baseline?: Baseline | undefined;
  readonly most: number;
  /** How many objects a figure without a baseline is about; a quick run has fewer and says nothing of it. */
  readonly count?: number | undefined;
  /** It is the difference that counts, not the ratio: what is added to each event. */
  readonly isExcess?: boolean | undefined;
}
