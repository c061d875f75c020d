import type { StormFailure } from "./storm.js";
import type { StormPlan, StormStep } from "./storm-plan.js";

/** Runs at most, and for how long: shrinking is a help, not a proof. */
const maxRuns = 1_000;
const maxMs = 300_000;
/** Objects that are tried instead of the plan's. */
const fewObjects = 3;

/** Runs a plan anew on a fresh subject; gives its failure. */
export type Replay = (plan: StormPlan) => Promise<StormFailure | undefined>;

/**
 * A shorter plan that fails too: what came after the failure is cut off, then halves, quarters ... single steps are left
 * out as long as it goes on failing, until no single step can be left out any more. The subject must be deterministic.
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
  // Most failures need only the time since the last quiet point.
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
    // What is gone may have been all that a step before it was needed for.
    if (size > 1 || best.steps.length === before) {
      size = smaller(size);
    }
  }
  return best;
}

/** What happened since the last quiet point: most failures need no more. */
export function lastInterval(plan: StormPlan, { step }: StormFailure): StormPlan {
  const steps = plan.steps.slice(0, step + 1);
  const [before = -1] = quietPoints(steps.slice(0, step)).slice(-1);
  return { ...plan, steps: steps.slice(before + 1) };
}

/** A plan that {@link shrink} made, and how to run it. */
export function showReplay(plan: StormPlan, failure: StormFailure): string {
  return [
    `${plan.steps.length} steps are enough:`,
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

/** The next size; 0 after 1. */
function smaller(size: number): number {
  return size === 1 ? 0 : half(size);
}
