import { afterAll, describe, expect, it } from "vitest";
import { cidrLibrary } from "../../packages/cel/src/libraries/cidr/cidr-library.js";
import { formatLibrary } from "../../packages/cel/src/libraries/format/format-library.js";
import { ipLibrary } from "../../packages/cel/src/libraries/ip/ip-library.js";
import { quantityLibrary } from "../../packages/cel/src/libraries/quantity/quantity-library.js";
import { semverLibrary1 } from "../../packages/cel/src/libraries/semver/semver-library.js";
import { urlsLibrary } from "../../packages/cel/src/libraries/urls/urls-library.js";
import { outcomeOf, sourceOf, type Term } from "../../packages/cel/test/libraries/term.js";
import { oracleValue } from "../../packages/cel/test/oracle/oracle-value.js";
import type { OracleAnswer } from "../../packages/cel/test/oracle/oracle-types.js";
import { buildOracle } from "../../packages/cel/test/oracle/oracle.js";
import { CelFailure } from "../../packages/cel/src/values/cel-failure.js";
import { randomTerm } from "./cel/random-terms.js";
import { seededRandom } from "./go-regexp/random-patterns.js";

const oracle = buildOracle();
const seed = Number(process.env["TYPEKUBE_CEL_SEED"] ?? 1);
const count = Number(process.env["TYPEKUBE_CEL_TERMS"] ?? 2_000);
const libraries = [
  cidrLibrary,
  formatLibrary,
  ipLibrary,
  quantityLibrary,
  semverLibrary1,
  urlsLibrary,
];

/** Value, units and estimated units, or the error, in the oracle's form. */
function ourAnswer(term: Term): unknown {
  const { result, cost, estimate } = outcomeOf(libraries, term);
  return result instanceof CelFailure
    ? { error: result.message }
    : {
        value: oracleValue(result),
        cost: String(cost),
        ...(isEquality(term)
          ? {}
          : { estimate: { min: String(estimate.min), max: String(estimate.max) } }),
      };
}

/** Units of `==` are those of the evaluator, not of a library. */
function isEquality(term: Term): boolean {
  return typeof term === "object" && term[0] === "==";
}

function theirAnswer(term: Term, answer: OracleAnswer | undefined): unknown {
  if (answer?.type === undefined) {
    return answer;
  }
  const { value, error, cost, estimate } = answer;
  return error === undefined
    ? { value, cost, ...(isEquality(term) ? {} : { estimate }) }
    : { error };
}

describe.skipIf(oracle === undefined)("CEL libraries compared to Kubernetes' own", () => {
  afterAll(() => oracle?.[Symbol.dispose]());

  it.each(["urls", "ips", "cidrs", "quantities", "versions", "formats"] as const)(
    `VC1: ${count} random calls of %s have the same value, error, cost and estimate, seed ${seed}`,
    async (kind) => {
      const random = seededRandom(seed);
      const terms = Array.from({ length: count }, () => randomTerm(random, kind));
      const answers = await oracle?.ask(terms.map((term) => ({ expression: sourceOf(term) })));
      const differences = terms.flatMap((term, at) => {
        const theirs = theirAnswer(term, answers?.[at]);
        const ours = ourAnswer(term);
        return JSON.stringify(ours) === JSON.stringify(theirs)
          ? []
          : [{ source: sourceOf(term), ours, theirs }];
      });
      expect(differences).toEqual([]);
    },
  );
});
