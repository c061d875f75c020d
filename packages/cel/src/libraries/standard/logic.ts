import { type FunctionDeclaration, overload } from "../../functions/overload.js";
import { operators } from "../../syntax/operators.js";
import { noSuchOverload } from "../../values/cel-failure.js";
import { boolType, typeParameter } from "../../values/cel-type.js";
import { equality, isEqual } from "../../values/equals.js";
import { equalityCosts } from "./equality-costs.js";
import { comparison } from "./standard-costs.js";

const a = typeParameter("A");

/** Operators that are declared for the type checker; the evaluator decides which operands they evaluate. */
const byEvaluator = (): ReturnType<typeof noSuchOverload> => noSuchOverload();

/** `&&`, `||`, `!`, `? :`, `==` and `!=`. */
export const logic: readonly FunctionDeclaration[] = [
  {
    name: operators.conditional,
    overloads: [overload("conditional", [boolType, a, a], a, byEvaluator)],
  },
  {
    name: operators.and,
    overloads: [overload("logical_and", [boolType, boolType], boolType, byEvaluator)],
  },
  {
    name: operators.or,
    overloads: [overload("logical_or", [boolType, boolType], boolType, byEvaluator)],
  },
  {
    name: operators.not,
    overloads: [overload("logical_not", [boolType], boolType, (value) => !value)],
  },
  {
    name: operators.notStrictlyFalse,
    overloads: [overload("not_strictly_false", [boolType], boolType, (value) => value)],
  },
  {
    name: operators.equal,
    overloads: [overload("equals", [a, a], boolType, equality, equalityCosts)],
  },
  {
    name: operators.notEqual,
    overloads: [
      overload("not_equals", [a, a], boolType, (left, right) => !isEqual(left, right), comparison),
    ],
  },
];
