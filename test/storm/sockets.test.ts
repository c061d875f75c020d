import { expect, it } from "vitest";
import { problematicKinds } from "./known-problems.js";
import { runAndReport } from "./run-and-shrink.js";
import { seedOfRun } from "./seed-of-run.js";
import { stormPlan } from "./storm-plan.js";
import { embeddedSocketsSubject } from "./subjects/embedded-sockets.js";
import { realSubject } from "./subjects/real.js";

/** Few: time is real here. `pnpm storm --on sockets` and `--on real` run more. */
const faults = { embedded: 150, real: 60 };

it(`I23: ${faults.embedded} faults on sockets leave cache and handlers equal to the embedded server`, {
  timeout: 600_000,
}, async () => {
  const subject = await embeddedSocketsSubject(seedOfRun);
  const plan = stormPlan({ seed: seedOfRun, faults: faults.embedded, without: problematicKinds() });
  const { failure, report } = await runAndReport(plan, subject);
  expect(failure).toBeUndefined();
  expect(report.struck.total).toBeGreaterThanOrEqual(faults.embedded);
});

it(`I23: ${faults.real} faults on sockets leave cache and handlers equal to a real kube-apiserver`, {
  timeout: 600_000,
}, async (test) => {
  const subject = await realSubject();
  if (subject === undefined) {
    test.skip("no real kube-apiserver here");
    return;
  }
  const plan = stormPlan({
    seed: seedOfRun,
    faults: faults.real,
    without: problematicKinds(),
  });
  const { failure, report } = await runAndReport(plan, subject);
  expect(failure).toBeUndefined();
  expect(report.struck.total).toBeGreaterThanOrEqual(faults.real);
});
