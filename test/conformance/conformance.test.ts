import assert from "node:assert/strict";
import { afterAll, describe, test } from "vitest";
import { conformanceCases } from "./cases.js";
import { embeddedSubject } from "./embedded-subject.js";
import { expectedDifferences } from "./expected-differences.js";
import { realSubject } from "./real-subject.js";
import { casesFor, caseTimeoutMs, runCase } from "./run-case.js";
import { runsOnEmbedded } from "./runs-on-embedded.js";
import type { Subject } from "./subject.js";

const differences = await expectedDifferences();
const subjects = [runsOnEmbedded && (await embeddedSubject()), await realSubject()];

for (const subject of subjects) {
  if (subject) {
    describe(subject.label, () => runOn(subject));
  }
}

test("every case has a unique ID and every expected difference a case", () => {
  const ids = conformanceCases.map((one) => one.id);
  assert.deepEqual([...new Set(ids)], ids);
  for (const { id, reason } of differences) {
    assert.ok(ids.includes(id), `expected-differences.yaml lists ${id}, which is not a case`);
    assert.ok(reason, `expected-differences.yaml gives no reason for ${id}`);
  }
});

function runOn(subject: Subject): void {
  const cases = casesFor(subject, conformanceCases);
  const counts = { passed: 0, different: 0 };
  for (const [index, one] of cases.entries()) {
    test(`${one.id}: ${one.name}`, { timeout: caseTimeoutMs + 5_000 }, async () => {
      const difference = differences.find(
        ({ id, server, encoding }) =>
          id === one.id && server === subject.server && encoding === undefined,
      );
      const outcome = await runCase(subject, one, `case-${index}`).then(
        () => ({ passed: true as const }),
        (error: unknown) => ({ passed: false as const, error }),
      );
      if (difference === undefined) {
        if (!outcome.passed) {
          throw outcome.error;
        }
        counts.passed += 1;
        return;
      }
      assert.ok(
        !outcome.passed,
        `${one.id} passes on ${subject.server}: remove it from expected-differences.yaml`,
      );
      counts.different += 1;
    });
  }
  afterAll(async () => {
    const left = conformanceCases.length - cases.length;
    console.log(
      `conformance ${subject.label}: ${cases.length} cases, ${counts.passed} passed, ` +
        `${counts.different} expected differences${left > 0 ? ` (${left} more need what it does not have)` : ""}`,
    );
    await subject[Symbol.asyncDispose]();
  });
}
