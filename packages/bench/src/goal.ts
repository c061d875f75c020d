import type { Measurement } from "./measurement.js";
import type { Baseline } from "./task.js";

/**
 * A figure that a program should reach. With a baseline: at most `most` times the baseline's figure or, when `isExcess`
 * is set, at most `most` microseconds per object more than it. Without a baseline: at most `most` units.
 */
export interface Goal {
  readonly what: string;
  readonly task: string;
  readonly program: string;
  readonly metric: keyof Pick<
    Measurement,
    | "blockMs"
    | "cpuMs"
    | "drainMs"
    | "growthMb"
    | "keptMb"
    | "latencyP50Ms"
    | "latencyP99Ms"
    | "mainMs"
    | "maxRssMb"
    | "wallMs"
  >;
  readonly baseline?: Baseline | undefined;
  readonly most: number;
  /**
   * Number of objects that a figure without a baseline refers to. A run with another count, such as a quick one, does
   * not measure the goal.
   */
  readonly count?: number | undefined;
  /** Compares the difference instead of the ratio: the time added to each event. */
  readonly isExcess?: boolean | undefined;
}
