import { afterAll, describe, expect, it } from "vitest";
import { buildOracle } from "../../packages/cel/test/oracle/oracle.js";
import { ourPolicy, type PolicyCase, theirPolicy } from "./cel/policy-answer.js";
import { plainPolicyCases, randomPolicyCase } from "./cel/policy-cases.js";
import { seededRandom } from "./go-regexp/random-patterns.js";

const oracle = buildOracle();
const seed = Number(process.env["TYPEKUBE_CEL_SEED"] ?? 1);
const count = Number(process.env["TYPEKUBE_CEL_POLICIES"] ?? 2000);

describe.skipIf(oracle === undefined)(
  "admission policies compared to Kubernetes' own packages",
  () => {
    afterAll(() => oracle?.[Symbol.dispose]());

    it("VA1-VA8, VA20, VA21: each expression alone has the same decision, message, annotation and object", async () => {
      expect(await differencesOf(plainPolicyCases())).toEqual([]);
    });

    it(`VA3, VA4, VA8, VA22: ${count} random policies decide and change alike, seed ${seed}`, async () => {
      const random = seededRandom(seed);
      const cases = Array.from({ length: count }, () => randomPolicyCase(random));
      expect(await differencesOf(cases)).toEqual([]);
    });
  },
);

async function differencesOf(cases: readonly PolicyCase[]): Promise<readonly unknown[]> {
  const answers = (await oracle?.ask(cases)) ?? [];
  return answers.flatMap((answer, at) => {
    const one = cases[at];
    if (one === undefined) {
      return [];
    }
    const ours = plain(ourPolicy(one));
    const theirs = answer.failure === undefined ? plain(theirPolicy(answer)) : answer;
    return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [{ ...one, ours, theirs }];
  });
}

/** Returns a value as JSON with sorted keys, and integers as JavaScript reads them from JSON. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, part]) => part !== undefined);
    return Object.fromEntries(
      entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, part]) => [key, plain(part)]),
    );
  }
  return typeof value === "bigint" ? Number(value) : value;
}
