import { afterAll, describe, expect, it } from "vitest";
import { buildOracle } from "../../packages/cel/test/oracle/oracle.js";
import { randomRuleCase } from "./cel/random-schemas.js";
import { ourRules, theirRules } from "./cel/rules-answer.js";
import { seededRandom } from "./go-regexp/random-patterns.js";

const oracle = buildOracle();
const seed = Number(process.env["TYPEKUBE_CEL_SEED"] ?? 1);
const count = Number(process.env["TYPEKUBE_CEL_SCHEMAS"] ?? 500);

describe.skipIf(oracle === undefined)(
  "rules of definitions compared to Kubernetes' own packages",
  () => {
    afterAll(() => oracle?.[Symbol.dispose]());

    it(`VS6: rules of ${count} random schemas have the same verdicts, messages, estimates and costs, seed ${seed}`, async () => {
      const random = seededRandom(seed);
      const cases = Array.from({ length: count }, () => randomRuleCase(random));
      const answers = (await oracle?.ask(cases)) ?? [];
      const differences = answers.flatMap((answer, at) => {
        const one = cases[at] ?? { schema: {}, object: {} };
        const [ours, theirs] = [ourRules(one, answer), theirRules(answer)];
        return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [{ ...one, ours, theirs }];
      });
      expect(differences).toEqual([]);
    });
  },
);
