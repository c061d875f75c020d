import type { CelLibrary } from "../../functions/library.js";
import { type FunctionDeclaration, memberOverload, overload } from "../../functions/overload.js";
import { readingCosts } from "../../functions/reading-costs.js";
import { CelDouble } from "../../values/cel-double.js";
import { CelFailure } from "../../values/cel-failure.js";
import { normalInt } from "../../values/cel-int.js";
import { boolType, doubleType, intType, stringType } from "../../values/cel-type.js";
import { compareAmounts, doubleOf, int64Of, signOf } from "./amount.js";
import { type CelQuantity, quantityOfInt, quantityType, toQuantity } from "./cel-quantity.js";

function compare(a: CelQuantity, b: CelQuantity): -1 | 0 | 1 {
  return compareAmounts(a.amount, b.amount);
}

function asInteger({ amount }: CelQuantity): number | bigint | CelFailure {
  const value = int64Of(amount);
  return value === undefined ? new CelFailure("cannot convert value to integer") : normalInt(value);
}

const pair = [quantityType, quantityType] as const;
const withInt = [quantityType, intType] as const;

const parsing: readonly FunctionDeclaration[] = [
  {
    name: "quantity",
    overloads: [
      overload("string_to_quantity", [stringType], quantityType, toQuantity, readingCosts()),
    ],
  },
  {
    name: "isQuantity",
    overloads: [
      overload(
        "is_quantity_string",
        [stringType],
        boolType,
        (text) => !(toQuantity(text) instanceof CelFailure),
        readingCosts(),
      ),
    ],
  },
];

const comparing: readonly FunctionDeclaration[] = [
  {
    name: "isGreaterThan",
    overloads: [
      memberOverload("quantity_is_greater_than", pair, boolType, (a, b) => compare(a, b) > 0),
    ],
  },
  {
    name: "isLessThan",
    overloads: [
      memberOverload("quantity_is_less_than", pair, boolType, (a, b) => compare(a, b) < 0),
    ],
  },
  {
    name: "compareTo",
    overloads: [memberOverload("quantity_compare_to", pair, intType, compare)],
  },
];

const arithmetic: readonly FunctionDeclaration[] = [
  {
    name: "add",
    overloads: [
      memberOverload("quantity_add", pair, quantityType, (a, b) => a.add(b)),
      memberOverload("quantity_add_int", withInt, quantityType, (a, b) => a.add(quantityOfInt(b))),
    ],
  },
  {
    name: "sub",
    overloads: [
      memberOverload("quantity_sub", pair, quantityType, (a, b) => a.subtract(b)),
      memberOverload("quantity_sub_int", withInt, quantityType, (a, b) =>
        a.subtract(quantityOfInt(b)),
      ),
    ],
  },
];

/** Quantities of the API, from Kubernetes 1.28 on. `sign` is a function, all others are members. */
export const quantityLibrary: CelLibrary = {
  name: "kubernetes.quantity",
  functions: [
    ...parsing,
    {
      name: "sign",
      overloads: [
        overload("quantity_sign", [quantityType], intType, ({ amount }) => signOf(amount)),
      ],
    },
    {
      name: "asApproximateFloat",
      overloads: [
        memberOverload(
          "quantity_get_float",
          [quantityType],
          doubleType,
          ({ amount }) => new CelDouble(doubleOf(amount)),
        ),
      ],
    },
    {
      name: "asInteger",
      overloads: [memberOverload("quantity_get_int", [quantityType], intType, asInteger)],
    },
    {
      name: "isInteger",
      overloads: [
        memberOverload(
          "quantity_is_integer",
          [quantityType],
          boolType,
          ({ amount }) => int64Of(amount) !== undefined,
        ),
      ],
    },
    ...comparing,
    ...arithmetic,
  ],
};
