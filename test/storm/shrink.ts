import type { StormFailure } from "./storm.js";
import type { StormPlan, StormStep } from "./storm-plan.js";

/** Maximum number of runs and their time: the result need not be minimal. */
const maxRuns = 1_000;
const maxMs = 300_000;
/** Number of objects to try instead of the plan's. */
const fewObjects = 3;

/** Runs a plan on a fresh subject and resolves to its failure. */
export type Replay = (plan: StormPlan) => Promise<StormFailure | undefined>;

/**
 * Returns a shorter plan that still fails. Cuts off what follows the failure, then leaves out halves, quarters ...
 * single steps while it keeps failing, until no single step can be left out. The subject must be deterministic.
 */
export async function shrink(
  plan: StormPlan,
  failure: StormFailure,
  replay: Replay,
): Promise<StormPlan> {
  let runs = 0;
  const end = performance.now() + maxMs;
  const mayGoOn = () => runs < maxRuns && performance.now() < end;
  let best: StormPlan = { ...plan, steps: plan.steps.slice(0, failure.step + 1) };
  const fails = async (candidate: StormPlan): Promise<boolean> => {
    runs++;
    const failed = await replay(candidate);
    if (failed !== undefined) {
      best = { ...candidate, steps: candidate.steps.slice(0, failed.step + 1) };
    }
    return failed !== undefined;
  };
  // Most failures need only the steps since the last quiet point.
  const quiets = quietPoints(best.steps);
  for (const quiet of quiets.slice(-3, -1).reverse()) {
    if (await fails({ ...best, steps: best.steps.slice(quiet + 1) })) {
      break;
    }
  }
  await fails({ ...best, objects: fewObjects });
  for (let size = half(best.steps.length); size >= 1 && mayGoOn(); ) {
    const before = best.steps.length;
    for (let at = 0; at < best.steps.length && mayGoOn(); ) {
      const steps = without(best.steps, at, size);
      if (steps.length === 0 || !(await fails({ ...best, steps }))) {
        at += size;
      }
    }
    // A removed step may have been the only reason for an earlier one, so size 1 is repeated.
    if (size > 1 || best.steps.length === before) {
      size = smaller(size);
    }
  }
  return best;
}

/** Returns the plan from the last quiet point on; most failures need no more. */
export function lastInterval(plan: StormPlan, { step }: StormFailure): StormPlan {
  const steps = plan.steps.slice(0, step + 1);
  const [before = -1] = quietPoints(steps.slice(0, step)).slice(-1);
  return { ...plan, steps: steps.slice(before + 1) };
}

/** Formats a plan that {@link shrink} returned, with the command to run it. */
export function showReplay(plan: StormPlan, failure: StormFailure): string {
  return [
    `${plan.steps.length} steps reproduce the failure:`,
    ...plan.steps.map((step) => `  ${JSON.stringify(step)}`),
    ...failure.problems.slice(0, 5).map((problem) => `  -> ${problem}`),
    `pnpm storm --replay '${JSON.stringify(plan)}'`,
  ].join("\n");
}

function quietPoints(steps: readonly StormStep[]): number[] {
  return steps.flatMap((step, at) => (step.do === "quiet" ? [at] : []));
}

function without(steps: readonly StormStep[], at: number, size: number): StormStep[] {
  return [...steps.slice(0, at), ...steps.slice(at + size)];
}

function half(length: number): number {
  return Math.max(1, Math.floor(length / 2));
}

/** Returns the next size; 0 after 1. */
function smaller(size: number): number {
  return size === 1 ? 0 : half(size);
}
