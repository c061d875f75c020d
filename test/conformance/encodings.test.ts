// Runs every case of the suite with clients of each encoding: programs must not notice which encoding they use.
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { conformanceCases } from "./cases.js";
import { embeddedSubject } from "./embedded-subject.js";
import { expectedDifferences } from "./expected-differences.js";
import { realSubject } from "./real-subject.js";
import { casesFor, runCase } from "./run-case.js";
import type { Subject } from "./subject.js";

const encodings = ["protobuf", "cbor", "yaml"] as const;

/** Milliseconds for all cases; a real server takes two minutes. */
const timeoutMs = 600_000;

const differences = await expectedDifferences();
const starts: Record<Subject["server"], () => Promise<Subject | undefined>> = {
  embedded: embeddedSubject,
  real: realSubject,
};
const isOnBoth = process.env["TYPEKUBE_ENCODINGS"] === "both";
if (!isOnBoth) {
  console.log(
    "encodings: on the embedded server alone; TYPEKUBE_ENCODINGS=both has real ones, too",
  );
}

for (const server of isOnBoth ? (["embedded", "real"] as const) : (["embedded"] as const)) {
  describe(server, () => {
    test.each(encodings)(
      "every case has the same result in %s as in JSON",
      { timeout: timeoutMs },
      async (encoding) => {
        await using subject = await starts[server]();
        if (subject === undefined) {
          return; // realSubject has logged the reason
        }
        const client = subject.client.with({ encoding });
        const failed: Record<string, string> = {};
        const cases = casesFor(subject, conformanceCases);
        for (const [index, one] of cases.entries()) {
          await runCase({ ...subject, client }, one, `case-${index}`).catch((error: Error) => {
            failed[one.id] = error.message;
          });
        }
        const expected = differences
          .filter((one) => one.server === server && (one.encoding ?? encoding) === encoding)
          .map(({ id }) => id);
        console.log(`encodings ${subject.label}: ${cases.length} cases in ${encoding}`);
        const unexpected = Object.entries(failed).filter(([id]) => !expected.includes(id));
        assert.deepEqual(Object.fromEntries(unexpected), {});
        const passed = expected.filter((id) => failed[id] === undefined);
        assert.deepEqual(passed, [], "remove what passes from expected-differences.yaml");
      },
    );
  });
}
