import type { Goal } from "./goals.js";

/** What stands in the way of goals. */
interface Bound {
  readonly task: RegExp;
  readonly program?: RegExp;
  readonly metric?: Goal["metric"];
  /** As it goes on after a colon, without a full stop. */
  readonly why: string;
}

/** What profiles show where a goal was missed; the first that fits says it. */
const bounds: readonly Bound[] = [];

/** Why a goal is out of reach, as far as it is known. */
export function boundOf({ task, program, metric }: Goal): string | undefined {
  return bounds.find(
    (bound) =>
      bound.task.test(task) &&
      (bound.program?.test(program) ?? true) &&
      (bound.metric ?? metric) === metric,
  )?.why;
}
