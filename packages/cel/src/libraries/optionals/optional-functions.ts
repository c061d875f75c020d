import { type FunctionDeclaration, memberOverload, overload } from "../../functions/overload.js";
import { CelFailure } from "../../values/cel-failure.js";
import { ArrayList, type CelList } from "../../values/cel-list.js";
import { CelOptional } from "../../values/cel-optional.js";
import { boolType, listType, optionalType, typeParameter } from "../../values/cel-type.js";
import type { CelValue } from "../../values/cel-value.js";
import { describeValue } from "../../values/describe-value.js";
import { isZero } from "./is-zero.js";

const anyType = typeParameter("V");
const anyOptional = optionalType(anyType);
const anyList = listType(anyType);
const optionalList = listType(anyOptional);

/** Functions that create optionals and look into them. */
export const optionalFunctions: readonly FunctionDeclaration[] = [
  {
    name: "optional.of",
    overloads: [overload("optional_of", [anyType], anyOptional, (value) => new CelOptional(value))],
  },
  {
    name: "optional.ofNonZeroValue",
    overloads: [
      overload("optional_ofNonZeroValue", [anyType], anyOptional, (value) =>
        isZero(value) ? CelOptional.none : new CelOptional(value),
      ),
    ],
  },
  {
    name: "optional.none",
    overloads: [overload("optional_none", [], anyOptional, () => CelOptional.none)],
  },
  {
    name: "value",
    overloads: [
      memberOverload("optional_value", [anyOptional], anyType, ({ value }) =>
        value === undefined ? new CelFailure("optional.none() dereference") : value,
      ),
    ],
  },
  {
    name: "hasValue",
    overloads: [
      memberOverload(
        "optional_hasValue",
        [anyOptional],
        boolType,
        ({ value }) => value !== undefined,
      ),
    ],
  },
  // The evaluator evaluates the second argument of `or` and `orValue` only if the first has no value.
  {
    name: "or",
    overloads: [
      memberOverload(
        "optional_or_optional",
        [anyOptional, anyOptional],
        anyOptional,
        (first, second) => (first.value === undefined ? second : first),
      ),
    ],
  },
  {
    name: "orValue",
    overloads: [
      memberOverload(
        "optional_orValue_value",
        [anyOptional, anyType],
        anyType,
        ({ value }, other) => (value === undefined ? other : value),
      ),
    ],
  },
  {
    name: "first",
    overloads: [memberOverload("list_first", [anyList], anyOptional, (list) => elementAt(list, 0))],
  },
  {
    name: "last",
    overloads: [
      memberOverload("list_last", [anyList], anyOptional, (list) => elementAt(list, list.size - 1)),
    ],
  },
  {
    name: "optional.unwrap",
    overloads: [overload("optional_unwrap", [optionalList], anyList, unwrapped)],
  },
  {
    name: "unwrapOpt",
    overloads: [memberOverload("optional_unwrapOpt", [optionalList], anyList, unwrapped)],
  },
];

/** Returns the element at an index, no value if the list has none there. */
export function elementAt(list: CelList, index: number): CelOptional {
  return index >= 0 && index < list.size ? new CelOptional(list.at(index)) : CelOptional.none;
}

function unwrapped(list: CelList): CelList | CelFailure {
  const values: CelValue[] = [];
  for (const element of list) {
    if (!(element instanceof CelOptional)) {
      return new CelFailure(`value ${describeValue(element)} is not optional`);
    }
    if (element.value !== undefined) {
      values.push(element.value);
    }
  }
  return new ArrayList(values);
}
