import { type FunctionDeclaration, memberOverload, overload } from "../../functions/overload.js";
import { compileRe2 } from "../../re2/index.js";
import { CelFailure } from "../../values/cel-failure.js";
import { boolType, stringType } from "../../values/cel-type.js";
import { containment, match, secondText } from "./standard-costs.js";

const two = [stringType, stringType] as const;

/** `contains`, `endsWith`, `startsWith` and `matches`. */
export const text: readonly FunctionDeclaration[] = [
  {
    name: "contains",
    overloads: [
      memberOverload("contains_string", two, boolType, (a, b) => a.includes(b), containment),
    ],
  },
  {
    name: "endsWith",
    overloads: [
      memberOverload("ends_with_string", two, boolType, (a, b) => a.endsWith(b), secondText),
    ],
  },
  {
    name: "startsWith",
    overloads: [
      memberOverload("starts_with_string", two, boolType, (a, b) => a.startsWith(b), secondText),
    ],
  },
  {
    name: "matches",
    overloads: [
      overload("matches", two, boolType, matches, match),
      memberOverload("matches_string", two, boolType, matches, match),
    ],
  },
];

function matches(value: string, pattern: string): boolean | CelFailure {
  const compiled = compileRe2(pattern);
  return "problem" in compiled ? new CelFailure(compiled.problem) : compiled.test(value);
}
