import { showReplay, shrink } from "./shrink.js";
import { runStorm, type StormResult } from "./storm.js";
import { type StormPlan, stormPlan } from "./storm-plan.js";
import { showReport } from "./storm-report.js";
import type { StormSubject } from "./subject.js";
import { embeddedSubject } from "./subjects/embedded.js";

/** Milliseconds between two progress lines of a running storm. */
const progressMs = 60_000;

/** Runs a storm and prints its report. */
export async function runAndReport(plan: StormPlan, subject: StormSubject): Promise<StormResult> {
  const result = await runStorm(plan, subject, tellProgress(plan, subject));
  console.log(showReport(result.report));
  return result;
}

/** Returns a function that logs the progress of a long storm now and then. */
function tellProgress({ steps }: StormPlan, { struck }: StormSubject): (done: number) => void {
  let reportedAt = performance.now();
  return (done) => {
    if (performance.now() - reportedAt >= progressMs) {
      reportedAt = performance.now();
      console.log(`storm: ${done} of ${steps.length} steps, ${struck.total} faults struck`);
    }
  };
}

let warm: Promise<unknown> | undefined;

/**
 * Runs a small storm and ignores its result. Modules that are loaded on demand take real time, which would change the
 * next storm.
 */
function warmUp(): Promise<unknown> {
  const plan = stormPlan({ seed: 1, faults: 60, objects: 8 });
  warm ??= embeddedSubject(plan.seed).then((subject) => runStorm(plan, subject));
  return warm;
}

/**
 * Runs a storm in process, where a failure can be shrunk, and prints a minimal replay.
 *
 * @returns the minimal plan when it failed.
 */
export async function runAndShrink(
  plan: StormPlan,
): Promise<{ readonly result: StormResult; readonly minimal: StormPlan | undefined }> {
  await warmUp();
  const result = await runAndReport(plan, await embeddedSubject(plan.seed));
  const { failure } = result;
  if (failure === undefined) {
    return { result, minimal: undefined };
  }
  if (failure.isOfAll) {
    console.log(`the failure needs the whole storm:\n${failure.problems.join("\n")}`);
    return { result, minimal: plan };
  }
  const replay = async (shorter: StormPlan) =>
    (await runStorm(shorter, await embeddedSubject(shorter.seed))).failure;
  const minimal = await shrink(plan, failure, replay);
  console.log(showReplay(minimal, (await replay(minimal)) ?? failure));
  return { result, minimal };
}
