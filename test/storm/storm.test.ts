import { expect, it } from "vitest";
import { problematicKinds, tellKnownProblems } from "./known-problems.js";
import { runAndShrink } from "./run-and-shrink.js";
import { seedOfRun } from "./seed-of-run.js";
import { stormPlan } from "./storm-plan.js";

/** `pnpm storm` runs 10,000; CI does so, too. Faults that strike are never fewer than those that were planned. */
const faults = 2_000;

it(`I23: ${faults} faults in process leave cache and handlers equal to the server at every quiet point, and the heap flat`, {
  timeout: 600_000,
}, async () => {
  tellKnownProblems();
  const plan = stormPlan({ seed: seedOfRun, faults, without: problematicKinds() });
  const { result } = await runAndShrink(plan);
  expect(result.failure).toBeUndefined();
  expect(result.report.struck.total).toBeGreaterThanOrEqual(faults);
  expect(result.report.heap).toBeDefined();
  // Both ways of checking a handler were taken.
  for (const { inOrder } of result.report.followers) {
    expect(inOrder).toBeGreaterThan(0);
    expect(inOrder).toBeLessThan(result.report.quiets);
  }
});
