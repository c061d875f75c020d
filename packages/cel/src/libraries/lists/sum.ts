import { lazyFunction } from "../../functions/lazy-function.js";
import { type FunctionDeclaration, memberOverload } from "../../functions/overload.js";
import { CelDouble } from "../../values/cel-double.js";
import { CelDuration } from "../../values/cel-duration.js";
import { CelFailure, isFailure, noSuchOverload } from "../../values/cel-failure.js";
import { isInt64, normalInt } from "../../values/cel-int.js";
import type { CelList } from "../../values/cel-list.js";
import {
  type CelType,
  doubleType,
  durationType,
  intType,
  listType,
  uintType,
} from "../../values/cel-type.js";
import { CelUint, maxUint64 } from "../../values/cel-uint.js";
import type { CelResult, CelValue } from "../../values/cel-value.js";
import { elementwise } from "./list-costs.js";

/** The types that can be added up, each with the sum of an empty list. */
const summable: readonly { readonly type: CelType<CelValue>; readonly zero: CelValue }[] = [
  { type: intType, zero: 0 },
  { type: uintType, zero: new CelUint(0) },
  { type: doubleType, zero: new CelDouble(0) },
  { type: durationType, zero: new CelDuration(0n) },
];

/** `sum`: the sum of the elements, 0 for an empty list. */
export const sum: FunctionDeclaration = lazyFunction("sum", () =>
  summable.map(({ type, zero }) =>
    memberOverload(
      `list_${type}_sum_${type}`,
      [listType(type)],
      type,
      (list) => sumOf(list, zero),
      elementwise,
    ),
  ),
);

function sumOf(list: CelList, zero: CelValue): CelResult {
  let total: CelValue = zero;
  for (const element of list) {
    const next = added(total, element);
    if (isFailure(next)) {
      return next;
    }
    total = next;
  }
  return total;
}

/** Adds two values of one type. */
function added(a: CelValue, b: CelValue): CelResult {
  if (typeof a === "number" && typeof b === "number" && Number.isSafeInteger(a + b)) {
    return a + b;
  }
  if (isInt(a) && isInt(b)) {
    const total = BigInt(a) + BigInt(b);
    return isInt64(total) ? normalInt(total) : new CelFailure("integer overflow");
  }
  if (a instanceof CelUint && b instanceof CelUint) {
    const total = BigInt(a.value) + BigInt(b.value);
    return total <= maxUint64
      ? new CelUint(normalInt(total))
      : new CelFailure("unsigned integer overflow");
  }
  if (a instanceof CelDouble && b instanceof CelDouble) {
    return new CelDouble(a.value + b.value);
  }
  if (a instanceof CelDuration && b instanceof CelDuration) {
    const total = a.nanoseconds + b.nanoseconds;
    return isInt64(total) ? new CelDuration(total) : new CelFailure("integer overflow");
  }
  return noSuchOverload();
}

function isInt(value: CelValue): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}
