import { afterAll, describe, expect, it } from "vitest";
import { specExpressions } from "../../packages/cel/test/conformance/spec-cases.js";
import { specSuites } from "../../packages/cel/test/conformance/spec-suites.js";
import {
  type ComparedAnswer,
  ourAnswer,
  theirAnswer,
} from "../../packages/cel/test/oracle/language-answer.js";
import { buildOracle } from "../../packages/cel/test/oracle/oracle.js";
import type { OracleCase } from "../../packages/cel/test/oracle/oracle-types.js";
import { randomExpression, variables } from "./cel/random-expressions.js";
import { seededRandom } from "./go-regexp/random-patterns.js";

const oracle = buildOracle();
const seed = Number(process.env["TYPEKUBE_CEL_SEED"] ?? 1);
const count = Number(process.env["TYPEKUBE_CEL_EXPRESSIONS"] ?? 3_000);

/** Messages of protocol buffers, which no rule of Kubernetes can name. */
const messages = /google\.protobuf|TestAllTypes/;
/**
 * Expressions whose cost differs: cel-go counts one step more where `has` meets an empty optional value, and visits the
 * keys of a map in any order, so that a loop which stops early, or fails, ends sooner or later.
 */
const costDiffers = /^has\(\{'foo': optional\.none\(\)\}|\}\.(?:all|exists)/;
const loopOverMap = /\}\.(?:filter|map|transformList|transformMap)/;

/** Returns the cases whose answers differ, with both answers. */
async function differences(cases: readonly OracleCase[]): Promise<readonly unknown[]> {
  const answers = (await oracle?.ask(cases)) ?? [];
  return answers.flatMap((answer, at) => {
    const one = cases[at] ?? {};
    const [ours, theirs] = comparable(ourAnswer(one), theirAnswer(answer), one.expression);
    return textOf(ours) === textOf(theirs) ? [] : [{ expression: one.expression, ours, theirs }];
  });
}

/** A failure on which cel-go panics must be one in ours, too; its cost and text don't matter. */
function comparable(
  ours: ComparedAnswer,
  theirs: ComparedAnswer,
  expression = "",
): readonly [ComparedAnswer, ComparedAnswer] {
  if (theirs.error?.startsWith("internal error: ") === true && ours.error !== undefined) {
    const same = { cost: "", error: "" };
    return [
      { ...ours, ...same },
      { ...theirs, ...same },
    ];
  }
  return costDiffers.test(expression) || (ours.error !== undefined && loopOverMap.test(expression))
    ? [
        { ...ours, cost: "" },
        { ...theirs, cost: "" },
      ]
    : [ours, theirs];
}

function textOf(value: unknown): string {
  return JSON.stringify(value);
}

describe.skipIf(oracle === undefined)("CEL compared to Kubernetes' own packages", () => {
  afterAll(() => oracle?.[Symbol.dispose]());

  it.each(["conformance", "parsing", "checking", "comprehensions"] as const)(
    "VL1: every expression of cel-spec's %s has the same outcome",
    async (suite) => {
      const cases = specExpressions(specSuites[suite])
        .filter((expression) => !messages.test(expression))
        .map((expression) => ({ expression }));
      expect(await differences(cases)).toEqual([]);
    },
  );

  it(`VS6: ${count} random expressions have the same type, value, error, cost and estimate, seed ${seed}`, async () => {
    const random = seededRandom(seed);
    const cases = Array.from({ length: count }, () => ({
      expression: randomExpression(random),
      variables,
      mode: "stored" as const,
    }));
    expect(await differences(cases)).toEqual([]);
  });
});
