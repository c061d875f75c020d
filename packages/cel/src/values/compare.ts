import { CelDouble } from "./cel-double.js";
import { CelDuration } from "./cel-duration.js";
import type { CelInt } from "./cel-int.js";
import { CelTimestamp } from "./cel-timestamp.js";
import { CelUint } from "./cel-uint.js";
import type { CelValue } from "./cel-value.js";
import { compareText } from "./code-points.js";

/** A number of any type. */
export type CelNumber = CelInt | CelUint | CelDouble;

/** Returns true for an int, a uint and a double. */
export function isNumeric(value: CelValue): value is CelNumber {
  return (
    typeof value === "number" ||
    typeof value === "bigint" ||
    value instanceof CelDouble ||
    value instanceof CelUint
  );
}

/** Returns true if values of the value's type have an order: see `compare`. */
export function isComparable(value: CelValue): boolean {
  return (
    typeof value === "string" ||
    typeof value === "boolean" ||
    isNumeric(value) ||
    value instanceof CelTimestamp ||
    value instanceof CelDuration ||
    value instanceof Uint8Array
  );
}

/**
 * Compares two numbers by their values, whatever their types: ints and uints exactly, anything with a double as doubles, as
 * cel-go does.
 *
 * @returns A negative number, 0 or a positive number; `undefined` if one of them is NaN.
 */
export function compareNumbers(a: CelNumber, b: CelNumber): number | undefined {
  if (a instanceof CelDouble || b instanceof CelDouble) {
    const [left, right] = [Number(plain(a)), Number(plain(b))];
    return left < right ? -1 : left > right ? 1 : left === right ? 0 : undefined;
  }
  // JavaScript compares a bigint with a number exactly.
  const [left, right] = [plain(a), plain(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function plain(number: CelNumber): CelInt {
  return number instanceof CelDouble || number instanceof CelUint ? number.value : number;
}

/**
 * Compares two values that have an order: numbers, strings (by code points), bytes, bools, timestamps and durations.
 *
 * @returns A negative number, 0 or a positive number; `undefined` if the values have no common order.
 */
export function compare(a: CelValue, b: CelValue): number | undefined {
  if (typeof a === "string") {
    return typeof b === "string" ? compareText(a, b) : undefined;
  }
  if (isNumeric(a)) {
    return isNumeric(b) ? compareNumbers(a, b) : undefined;
  }
  if (typeof a === "boolean") {
    return typeof b === "boolean" ? Number(a) - Number(b) : undefined;
  }
  if (a instanceof Uint8Array) {
    return b instanceof Uint8Array ? compareBytes(a, b) : undefined;
  }
  if (a instanceof CelTimestamp) {
    return b instanceof CelTimestamp ? compareBig(a.nanoseconds, b.nanoseconds) : undefined;
  }
  if (a instanceof CelDuration) {
    return b instanceof CelDuration ? compareBig(a.nanoseconds, b.nanoseconds) : undefined;
  }
  return undefined;
}

function compareBig(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  return a.length - b.length;
}
