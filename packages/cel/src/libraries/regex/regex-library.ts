import {
  costSize,
  regexLengthFactor,
  stringTraversalFactor,
} from "../../functions/cost-factors.js";
import { Estimate } from "../../functions/estimate.js";
import type { CelLibrary } from "../../functions/library.js";
import { memberOverload, type OverloadCosts } from "../../functions/overload.js";
import { compileRe2 } from "../../re2/index.js";
import { CelFailure } from "../../values/cel-failure.js";
import type { CelInt } from "../../values/cel-int.js";
import { ArrayList, type CelList } from "../../values/cel-list.js";
import { intType, listType, stringType } from "../../values/cel-type.js";

/** Costs of running a pattern over a text; the whole pattern is taken to be tried at each character. */
const matching: OverloadCosts = {
  cost: ([text, pattern]) =>
    Math.ceil((1 + costSize(text)) * stringTraversalFactor) *
    Math.ceil(costSize(pattern) * regexLengthFactor),
  estimate: ({ target, args: [pattern] }) =>
    target && pattern
      ? {
          cost: target.size
            .add(Estimate.exactly(1))
            .times(stringTraversalFactor)
            .multiply(pattern.size.times(regexLengthFactor)),
          resultSize: new Estimate(0n, target.size.max),
        }
      : undefined,
};

/** Kubernetes' functions that return what a regular expression (RE2) matches. */
export const regexLibrary: CelLibrary = {
  name: "kubernetes.regex",
  functions: [
    {
      name: "find",
      overloads: [
        memberOverload("string_find_string", [stringType, stringType], stringType, find, matching),
      ],
    },
    {
      name: "findAll",
      overloads: [
        memberOverload(
          "string_find_all_string",
          [stringType, stringType],
          listType(stringType),
          (text, pattern) => findAll(text, pattern, -1),
          matching,
        ),
        memberOverload(
          "string_find_all_string_int",
          [stringType, stringType, intType],
          listType(stringType),
          findAll,
          matching,
        ),
      ],
    },
  ],
};

function find(text: string, pattern: string): string | CelFailure {
  const compiled = compileRe2(pattern);
  return "problem" in compiled ? illegal(compiled.problem) : (compiled.find(text) ?? "");
}

function findAll(text: string, pattern: string, limit: CelInt): CelList | CelFailure {
  const compiled = compileRe2(pattern);
  return "problem" in compiled
    ? illegal(compiled.problem)
    : new ArrayList(compiled.findAll(text, Number(limit)));
}

function illegal(problem: string): CelFailure {
  return new CelFailure(`Illegal regex: ${problem}`);
}
