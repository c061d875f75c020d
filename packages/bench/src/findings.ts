import type { Goal } from "./goal.js";
import { goals } from "./goals.js";
import type { RowResult, TaskResult } from "./run-tasks.js";
import { median, medianInterval, pairedDifferences, pairedRatios } from "./statistics.js";

export type Verdict = "met" | "not met";

/** Result of a run for one goal. */
export interface Finding {
  readonly goal: Goal;
  readonly figure: number;
  /** Number of rounds whose median the figure is. */
  readonly rounds: number;
  /** Interval around the true median; `medianConfidence` gives its confidence. */
  readonly interval: readonly [number, number];
  /**
   * The same figure of the control row, which is the floor measured a second time: its distance from 1 (from 0 for an
   * excess) is noise.
   */
  readonly control: number | undefined;
  /** The same figure of the floor, when the goal has another baseline: the lower limit that undici sets. */
  readonly floor: number | undefined;
  readonly verdict: Verdict;
  /** `true` when the goal lies within the interval or there was only one round: another run may have the other verdict. */
  readonly isClose: boolean;
  /**
   * `true` when the control is farther from 1 (from 0 for an excess) than the figure from its goal: the verdict means
   * nothing.
   */
  readonly isWithinNoise: boolean;
}

/** Returns the findings for each goal that a run measured. */
export function findingsOf(
  results: readonly TaskResult[],
  ofGoals: readonly Goal[] = goals,
): Finding[] {
  return ofGoals.flatMap((goal) => {
    const values = valuesOf(goal, results);
    const figureOf = (program: string): number | undefined => {
      const others = valuesOf({ ...goal, program }, results);
      return others.length === 0 ? undefined : median(others);
    };
    if (values.length === 0) {
      return [];
    }
    const figure = median(values);
    const interval = medianInterval(values);
    const [low, high] = interval;
    const control = goal.baseline === "floor" ? figureOf("floor (control)") : undefined;
    return [
      {
        goal,
        figure,
        rounds: values.length,
        interval,
        control,
        floor: goal.baseline === "floor" || !goal.baseline ? undefined : figureOf("floor"),
        verdict: figure <= goal.most ? "met" : "not met",
        isClose: values.length === 1 || (low <= goal.most && goal.most < high),
        isWithinNoise: control !== undefined && isWithinNoise(goal, figure, control),
      },
    ];
  });
}

/** Compares two distances of the same unit: relative ones for a ratio, microseconds for an excess. */
function isWithinNoise({ most, isExcess }: Goal, figure: number, control: number): boolean {
  return isExcess
    ? Math.abs(figure - most) < Math.abs(control)
    : Math.abs(figure / most - 1) < Math.abs(control - 1);
}

/**
 * Returns the figure of each round; with a baseline, its ratio to the baseline in the same round, or the difference for
 * an excess.
 */
function valuesOf(goal: Goal, results: readonly TaskResult[]): number[] {
  const task = results.find(({ name }) => name === goal.task);
  const row = task?.rows.find(({ program }) => program === goal.program);
  if (row === undefined || (goal.count ?? task?.count) !== task?.count) {
    return [];
  }
  const rounds = (of: RowResult) => of.rounds.map((round) => round?.[goal.metric]);
  if (goal.baseline === undefined) {
    return rounds(row).filter((value) => value !== undefined);
  }
  const base = task?.rows.find(({ baseline }) => baseline === goal.baseline);
  if (task === undefined || base === undefined) {
    return [];
  }
  return goal.isExcess
    ? pairedDifferences(rounds(row), rounds(base)).map((ms) => (ms / task.count) * 1_000)
    : pairedRatios(rounds(row), rounds(base));
}
