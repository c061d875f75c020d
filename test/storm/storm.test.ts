import { expect, it } from "vitest";
import { problematicKinds, tellKnownProblems } from "./known-problems.js";
import { runAndShrink } from "./run-and-shrink.js";
import { seedOfRun } from "./seed-of-run.js";
import { stormPlan } from "./storm-plan.js";

/** Number of planned faults; at least as many strike. `pnpm storm` and CI run 10,000. */
const faults = 2_000;

it(`I23: cache and handlers equal the server at every quiet point of ${faults} faults in process, and the heap stays flat`, {
  timeout: 600_000,
}, async () => {
  tellKnownProblems();
  const plan = stormPlan({ seed: seedOfRun, faults, without: problematicKinds() });
  const { result } = await runAndShrink(plan);
  expect(result.failure).toBeUndefined();
  expect(result.report.struck.total).toBeGreaterThanOrEqual(faults);
  expect(result.report.heap).toBeDefined();
  // Both checks of a handler were used.
  for (const { inOrder } of result.report.followers) {
    expect(inOrder).toBeGreaterThan(0);
    expect(inOrder).toBeLessThan(result.report.quiets);
  }
});
