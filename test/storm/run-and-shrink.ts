import { showReplay, shrink } from "./shrink.js";
import { runStorm, type StormResult } from "./storm.js";
import type { StormPlan } from "./storm-plan.js";
import { showReport } from "./storm-report.js";
import type { StormSubject } from "./subject.js";
import { embeddedSubject } from "./subjects/embedded.js";

/** Runs a storm and prints what it counted. */
export async function runAndReport(plan: StormPlan, subject: StormSubject): Promise<StormResult> {
  const result = await runStorm(plan, subject);
  console.log(showReport(result.report));
  return result;
}

/**
 * The same in process, where a failure can be shrunk: a minimal replay is printed.
 *
 * @returns the minimal plan when it failed.
 */
export async function runAndShrink(
  plan: StormPlan,
): Promise<{ readonly result: StormResult; readonly minimal: StormPlan | undefined }> {
  const result = await runAndReport(plan, await embeddedSubject(plan.seed));
  const { failure } = result;
  if (failure === undefined) {
    return { result, minimal: undefined };
  }
  const replay = async (shorter: StormPlan) =>
    (await runStorm(shorter, await embeddedSubject(shorter.seed))).failure;
  const minimal = await shrink(plan, failure, replay);
  console.log(showReplay(minimal, (await replay(minimal)) ?? failure));
  return { result, minimal };
}
