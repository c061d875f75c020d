import { afterAll, describe, expect, it } from "vitest";
import { ourAnswer, theirAnswer } from "../../packages/cel/test/oracle/language-answer.js";
import { buildOracle } from "../../packages/cel/test/oracle/oracle.js";
import { collectionExpressions } from "./cel/collection-expressions.js";

const oracle = buildOracle();

const variables = {
  s: { type: "string", value: "abc", size: { min: 2, max: 10 } },
  l: { type: "list(int)", value: [1, 2, 3], size: { min: 2, max: 10 } },
  ls: { type: "list(string)", value: ["b", "a"], size: { min: 2, max: 10 } },
  x: { type: "dyn", value: "dyn" },
};

describe.skipIf(oracle === undefined)(
  "CEL libraries of collections compared to Kubernetes' own",
  () => {
    afterAll(() => oracle?.[Symbol.dispose]());

    it.each(Object.entries(collectionExpressions))(
      "VC1: calls of %s have the same type, value, error, cost and estimate",
      async (_subject, expressions) => {
        const cases = expressions.map((expression) => ({
          expression,
          variables,
          mode: "stored" as const,
        }));
        const answers = (await oracle?.ask(cases)) ?? [];
        const theirs = answers.map(theirAnswer);
        const differences = cases.flatMap((one, at) => {
          const ours = ourAnswer(one);
          return JSON.stringify(ours) === JSON.stringify(theirs[at])
            ? []
            : [{ expression: one.expression, ours, theirs: theirs[at] }];
        });
        expect(differences).toEqual([]);
      },
    );
  },
);
