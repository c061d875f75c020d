import { expect, it } from "vitest";
import { problematicKinds } from "./known-problems.js";
import { runAndReport } from "./run-and-shrink.js";
import { seedOfRun } from "./seed-of-run.js";
import { stormPlan } from "./storm-plan.js";
import { embeddedSocketsSubject } from "./subjects/embedded-sockets.js";
import { realSubject } from "./subjects/real.js";

/** Few faults, because time is real here. `pnpm storm --on sockets` and `--on real` run more. */
const faults = { embedded: 150, real: 60 };

it(`I23: cache and handlers equal the embedded server after ${faults.embedded} faults on sockets`, {
  timeout: 600_000,
}, async () => {
  const subject = await embeddedSocketsSubject(seedOfRun);
  const plan = stormPlan({ seed: seedOfRun, faults: faults.embedded, without: problematicKinds() });
  const { failure, report } = await runAndReport(plan, subject);
  expect(failure).toBeUndefined();
  expect(report.struck.total).toBeGreaterThanOrEqual(faults.embedded);
});

it(`I23: cache and handlers equal a real kube-apiserver after ${faults.real} faults on sockets`, {
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
