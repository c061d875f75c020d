import assert from "node:assert/strict";
import { afterAll, describe, test } from "vitest";
import { attachAndLogCases } from "./pods/attach-and-log-cases.js";
import { commandCases } from "./pods/command-cases.js";
import { createPod, embeddedPods, type PodSubject, realPods } from "./pods/pod-subject.js";
import { portCases } from "./pods/port-cases.js";
import { caseTimeoutMs } from "./run-case.js";
import { runsOnEmbedded } from "./runs-on-embedded.js";

// Calls into pods have subjects of their own: the other cases need no containers, and a node takes seconds to build.
const cases = [...commandCases, ...attachAndLogCases, ...portCases];
const subjects = [runsOnEmbedded && (await embeddedPods()), await realPods()];

for (const subject of subjects) {
  if (subject) {
    describe(`calls into pods, ${subject.label}`, () => runOn(subject));
  }
}

test("every case has a unique ID", () => {
  const ids = cases.map(({ id }) => id);
  assert.deepEqual([...new Set(ids)], ids);
});

async function runOn(subject: PodSubject): Promise<void> {
  const pod = await createPod(subject);
  for (const one of cases) {
    test(`${one.id}: ${one.name}`, { timeout: caseTimeoutMs + 5_000 }, () =>
      one.run({ ...subject, pod, signal: AbortSignal.timeout(caseTimeoutMs) }),
    );
  }
  afterAll(() => subject[Symbol.asyncDispose]());
}
