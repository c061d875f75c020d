// `pnpm storm --seed N --faults N [--on embedded|sockets|real] [--objects N] [--known-problems] [--replay PLAN]`
import { parseArgs } from "node:util";
import { problematicKinds, tellKnownProblems } from "./known-problems.js";
import { runAndReport, runAndShrink } from "./run-and-shrink.js";
import { type StormPlan, stormPlan } from "./storm-plan.js";
import { embeddedSocketsSubject } from "./subjects/embedded-sockets.js";
import { realSubject } from "./subjects/real.js";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    faults: { type: "string", default: "10000" },
    objects: { type: "string", default: "1000" },
    on: { type: "string", default: "embedded" },
    /** Strikes with the kinds that are known not to work, too. */
    "known-problems": { type: "boolean", default: false },
    /** A plan as a failing storm prints it. */
    replay: { type: "string" },
  },
});
const seed = Number(values.seed);
const hasProblems = values["known-problems"];
const withoutKnown = hasProblems ? new Set<never>() : problematicKinds();

const plan = stormPlan({
  seed,
  faults: Number(values.faults),
  objects: Number(values.objects),
  without: withoutKnown,
});

async function storm(): Promise<boolean> {
  if (values.replay !== undefined) {
    return !(await runAndShrink(JSON.parse(values.replay) as StormPlan)).minimal;
  }
  if (!hasProblems) {
    tellKnownProblems();
  }
  if (values.on === "embedded") {
    return !(await runAndShrink(plan)).minimal;
  }
  const subject = values.on === "real" ? await realSubject() : await embeddedSocketsSubject(seed);
  if (subject === undefined) {
    return false;
  }
  const { failure } = await runAndReport(plan, subject);
  if (failure !== undefined) {
    console.log(`failed at step ${failure.step}:\n${failure.problems.slice(0, 20).join("\n")}`);
    console.log("time is real here: the same seed is the same weather, not the same storm");
  }
  return failure === undefined;
}

console.time("storm");
const isFine = await storm();
console.timeEnd("storm");
process.exitCode = isFine ? 0 : 1;
