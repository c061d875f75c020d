import { Namespace } from "@typekube/api/core/v1";
import { afterAll, expect, test } from "vitest";
import { embeddedSubject } from "../embedded-subject.js";
import { realSubject } from "../real-subject.js";
import { randomSequence } from "./random-sequence.js";
import { firstDifference, runSequence, type SequenceServer } from "./run-sequence.js";
import { shrink } from "./shrink.js";
import { type Step, showSequence } from "./step.js";

const sequences = Number(process.env["TYPEKUBE_SEQUENCES"] ?? 150);
const firstSeed = Number(process.env["TYPEKUBE_SEED"] ?? 1);
const namespace = "write-sequences";
/** Number of differences that are shrunk and shown. */
const maxShown = Number(process.env["TYPEKUBE_SHOWN"] ?? 5);

const real = await realSubject();
const embedded = await embeddedSubject();

if (real === undefined) {
  console.warn("WRITE SEQUENCES ARE SKIPPED: there is no real API server to compare with");
}

afterAll(async () => {
  await real?.[Symbol.asyncDispose]();
  await embedded[Symbol.asyncDispose]();
});

test.skipIf(real === undefined)(
  `UPD1, SSA1, DEL1: both servers respond alike to ${sequences} write sequences`,
  { timeout: 500_000 },
  async () => {
    const signal = AbortSignal.timeout(480_000);
    const servers = [real, embedded].map((subject) => ({
      client: (subject ?? embedded).client,
      namespace,
      signal,
    })) as [SequenceServer, SequenceServer];
    for (const { client } of servers) {
      await client.resource(Namespace).create({ metadata: { name: namespace } });
    }
    let run = 0;
    const compare = async (steps: readonly Step[]) => {
      run += 1;
      const [one, other] = await Promise.all(
        servers.map((server) => runSequence(server, steps, `r${run}-`)),
      );
      return firstDifference(one ?? [], other ?? []);
    };
    const found: string[] = [];
    let steps = 0;
    for (let seed = firstSeed; seed < firstSeed + sequences; seed++) {
      const sequence = randomSequence(seed);
      steps += sequence.length;
      if ((await compare(sequence)) === undefined) {
        continue;
      }
      const small =
        found.length < maxShown
          ? await shrink(sequence, async (fewer) => (await compare(fewer)) !== undefined)
          : sequence;
      const difference = await compare(small);
      const where =
        difference === undefined ? "" : `\n  step ${difference.at}:\n${difference.text}`;
      found.push(`seed ${seed}:\n${showSequence(small)}${where}`);
    }
    console.log(`${sequences} sequences of ${steps} writes, ${found.length} answered differently`);
    expect(found.slice(0, maxShown).join("\n\n")).toBe("");
  },
);
