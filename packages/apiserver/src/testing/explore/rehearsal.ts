import type { Plan } from "./plan/plan.js";
import { faultWord } from "./report/coverage.js";
import { realTime } from "./run/quiet.js";
import type { Externals } from "./scenario/externals.js";
import type { Judged, Search } from "./search.js";

/** Times that a run which fails is played. */
const rounds = 3;
/** Real milliseconds between them, in which code is loaded. */
const loadMs = 20;

/**
 * Plays one run for each kind of fault before a search begins. A path that only a fault leads to may load code, which takes
 * real time: a run can fail because of that, the first time. Afterwards the code is there, so that equal seeds give equal
 * results.
 *
 * @returns the runs that passed. They need not be played again.
 */
export async function rehearse<X extends Externals>(
  search: Search<X>,
  plans: readonly Plan[],
  isOverBudget: () => boolean,
): Promise<ReadonlyMap<Plan, Judged>> {
  const passed = new Map<Plan, Judged>();
  let left = onePerKind(plans);
  for (let round = 0; round < rounds && left.length > 0 && !isOverBudget(); round++) {
    if (round > 0) {
      await realTime(loadMs);
    }
    const failed: Plan[] = [];
    for (const plan of left) {
      const judged = isOverBudget() ? undefined : await search.rehearse(plan.replay);
      if (judged?.failures.length === 0) {
        passed.set(plan, judged);
      } else {
        failed.push(plan);
      }
    }
    left = failed;
  }
  return passed;
}

/** Returns the first plan for each kind of fault alone. */
function onePerKind(plans: readonly Plan[]): Plan[] {
  const kinds = new Map<string, Plan>();
  for (const plan of plans) {
    const [fault] = plan.replay.faults;
    if (fault !== undefined && plan.seed === undefined) {
      const kind = faultWord(fault);
      kinds.set(kind, kinds.get(kind) ?? plan);
    }
  }
  return [...kinds.values()];
}
