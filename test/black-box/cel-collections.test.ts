import { afterAll, describe, expect, it } from "vitest";
import { ourAnswer, theirAnswer } from "../../packages/cel/test/oracle/language-answer.js";
import { buildOracle } from "../../packages/cel/test/oracle/oracle.js";
import { collectionExpressions } from "./cel/collection-expressions.js";
import { casesOfCollections } from "./cel/collection-rules.js";
import { randomCollections } from "./cel/random-collections.js";
import { ourRules, theirRules } from "./cel/rules-answer.js";
import { seededRandom } from "./go-regexp/random-patterns.js";

const oracle = buildOracle();
const seed = Number(process.env["TYPEKUBE_CEL_SEED"] ?? 1);
const count = Number(process.env["TYPEKUBE_CEL_TERMS"] ?? 2_000);

const variables = {
  s: { type: "string", value: "abc", size: { min: 2, max: 10 } },
  l: { type: "list(int)", value: [1, 2, 3], size: { min: 2, max: 10 } },
  ls: { type: "list(string)", value: ["b", "a"], size: { min: 2, max: 10 } },
  x: { type: "dyn", value: "dyn" },
};

/** Returns the expressions whose answers differ, with both answers. */
async function differences(expressions: readonly string[]): Promise<readonly unknown[]> {
  const cases = expressions.map((expression) => ({
    expression,
    variables,
    mode: "stored" as const,
  }));
  const answers = (await oracle?.ask(cases)) ?? [];
  return answers.flatMap((answer, at) => {
    const one = cases[at] ?? {};
    const [ours, theirs] = [ourAnswer(one), theirAnswer(answer)];
    return JSON.stringify(ours) === JSON.stringify(theirs)
      ? []
      : [{ expression: expressions[at], ours, theirs }];
  });
}

describe.skipIf(oracle === undefined)(
  "CEL libraries of collections compared to Kubernetes' own",
  () => {
    afterAll(() => oracle?.[Symbol.dispose]());

    it.each(Object.entries(collectionExpressions))(
      "VC1: calls of %s have the same type, value, error, cost and estimate",
      async (_subject, expressions) => {
        expect(await differences(expressions)).toEqual([]);
      },
    );

    it.each(Object.entries(randomCollections))(
      `VS6: ${count} random calls of %s have the same type, value, error, cost and estimate, seed ${seed}`,
      async (_subject, generate) => {
        const random = seededRandom(seed);
        const expressions = Array.from({ length: count }, () => generate(random));
        expect(await differences(expressions)).toEqual([]);
      },
    );
    it("VC1: rules of definitions on lists, maps and objects have the same verdicts, messages, estimates and costs", async () => {
      const answers = (await oracle?.ask(casesOfCollections)) ?? [];
      const found = answers.flatMap((answer, at) => {
        const one = casesOfCollections[at] ?? { schema: {}, object: {} };
        const [ours, theirs] = [ourRules(one, answer), theirRules(answer)];
        return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [{ ours, theirs }];
      });
      expect(found).toEqual([]);
    });
  },
);
