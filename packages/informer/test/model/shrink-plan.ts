import type { Plan } from "./model-plan.js";
import type { ModelFailure } from "./model-run.js";

/** Removes the steps that the failure does not need, and describes the rest. The plan alone must determine the run. */
export async function shrinkPlan(
  plan: Plan,
  failure: ModelFailure,
  run: (plan: Plan) => Promise<ModelFailure | undefined>,
): Promise<string> {
  let best = { ...plan, steps: plan.steps.slice(0, failure.step + 1) };
  let { problems } = failure;
  for (let isShorter = true; isShorter; ) {
    isShorter = false;
    for (let at = best.steps.length - 1; at >= 0; at--) {
      const shorter = { ...best, steps: best.steps.filter((_, i) => i !== at) };
      const failed = await run(shorter);
      if (failed !== undefined) {
        best = shorter;
        problems = failed.problems;
        isShorter = true;
      }
    }
  }
  return [
    `seed ${plan.seed} fails; these steps are enough:`,
    `  ${JSON.stringify(best.setting)}`,
    ...best.steps.map((step) => `  ${JSON.stringify(step)}`),
    ...problems.map((problem) => `  -> ${problem}`),
  ].join("\n");
}
