// `pnpm storm --seed N --faults N [--on embedded|sockets|real] [--objects N] [--known-problems] [--replay PLAN]`
import { parseArgs } from "node:util";
import { problematicKinds, tellKnownProblems } from "./known-problems.js";
import { runAndReport, runAndShrink } from "./run-and-shrink.js";
import { lastInterval } from "./shrink.js";
import type { StormResult } from "./storm.js";
import { type StormPlan, stormPlan } from "./storm-plan.js";
import { embeddedSocketsSubject } from "./subjects/embedded-sockets.js";
import { realSubject } from "./subjects/real.js";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    faults: { type: "string", default: "10000" },
    objects: { type: "string", default: "1000" },
    on: { type: "string", default: "embedded" },
    /** Includes the kinds of faults with known problems. */
    "known-problems": { type: "boolean", default: false },
    /** Plan as a failing storm prints it. */
    replay: { type: "string" },
  },
});
const seed = Number(values.seed);
const hasProblems = values["known-problems"];
const withoutKnown = hasProblems ? new Set<never>() : problematicKinds();

const faults = values.replay === undefined ? Number(values.faults) : 0;
const plan =
  values.replay === undefined
    ? stormPlan({ seed, faults, objects: Number(values.objects), without: withoutKnown })
    : (JSON.parse(values.replay) as StormPlan);

async function storm(): Promise<boolean> {
  if (!hasProblems && values.replay === undefined) {
    tellKnownProblems();
  }
  if (values.on === "embedded") {
    const { result } = await runAndShrink(plan);
    return result.failure === undefined && struckEnough(result);
  }
  const subject =
    values.on === "real" ? await realSubject() : await embeddedSocketsSubject(plan.seed);
  if (subject === undefined) {
    return false;
  }
  const result = await runAndReport(plan, subject);
  const { failure } = result;
  if (failure === undefined) {
    return struckEnough(result);
  }
  console.log(`failed at step ${failure.step}:\n${failure.problems.slice(0, 20).join("\n")}`);
  console.log(
    "this run uses real time: the same seed repeats the faults, but not their timing; a replay may fail:",
  );
  console.log(
    `pnpm storm --on ${values.on} --replay '${JSON.stringify(lastInterval(plan, failure))}'`,
  );
  return false;
}

function struckEnough({ report }: StormResult): boolean {
  const { total } = report.struck;
  if (total < faults) {
    console.log(`only ${total} of ${faults} faults struck`);
  }
  return total >= faults;
}

console.time("storm");
const isFine = await storm();
console.timeEnd("storm");
process.exitCode = isFine ? 0 : 1;
