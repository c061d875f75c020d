import { lazyFunction } from "../../functions/lazy-function.js";
import { type FunctionDeclaration, type Overload, overload } from "../../functions/overload.js";
import { operators } from "../../syntax/operators.js";
import { CelFailure, noSuchOverload } from "../../values/cel-failure.js";
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  intType,
  stringType,
  timestampType,
  uintType,
} from "../../values/cel-type.js";
import type { CelValue } from "../../values/cel-value.js";
import { compare, isNumeric } from "../../values/compare.js";
import { comparison } from "./standard-costs.js";

/** Types in the order of cel-go's signatures, with their names there. */
const numbers: readonly (readonly [CelType<CelValue>, string])[] = [
  [intType, "int64"],
  [uintType, "uint64"],
  [doubleType, "double"],
];
const texts: readonly (readonly [CelType<CelValue>, string])[] = [
  [stringType, "string"],
  [bytesType, "bytes"],
];
const times: readonly (readonly [CelType<CelValue>, string])[] = [
  [timestampType, "timestamp"],
  [durationType, "duration"],
];

/** `<`, `<=`, `>` and `>=`. */
export const relations: readonly FunctionDeclaration[] = [
  relation(operators.less, "less", (order) => order < 0),
  relation(operators.lessOrEqual, "less_equals", (order) => order <= 0),
  relation(operators.greater, "greater", (order) => order > 0),
  relation(operators.greaterOrEqual, "greater_equals", (order) => order >= 0),
];

function relation(
  name: string,
  id: string,
  holds: (order: number) => boolean,
): FunctionDeclaration {
  const call = (a: CelValue, b: CelValue): boolean | CelFailure => {
    const order = compare(a, b);
    if (order !== undefined) {
      return holds(order);
    }
    return isNumeric(a) && isNumeric(b)
      ? new CelFailure("NaN values cannot be ordered")
      : noSuchOverload();
  };
  const same = ([type, suffix]: readonly [CelType<CelValue>, string], costs = {}): Overload =>
    overload(`${id}_${suffix}`, [type, type], boolType, call, costs);
  const mixed = () =>
    numbers.flatMap(([left, leftName]) => [
      overload(`${id}_${leftName}`, [left, left], boolType, call),
      ...numbers
        .filter(([right]) => right !== left)
        .toSorted(([a], [b]) => Number(a !== doubleType) - Number(b !== doubleType))
        .map(([right, rightName]) =>
          overload(`${id}_${leftName}_${rightName}`, [left, right], boolType, call),
        ),
    ]);
  return lazyFunction(name, () => [
    same([boolType, "bool"]),
    ...mixed(),
    ...texts.map((text) => same(text, comparison)),
    ...times.map((time) => same(time)),
  ]);
}
