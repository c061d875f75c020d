import type { CelDouble } from "./cel-double.js";
import { CelFailure } from "./cel-failure.js";
import { type CelInt, isInt64, normalInt } from "./cel-int.js";
import { CelUint, maxUint64 } from "./cel-uint.js";

export const integerOverflow: CelFailure = new CelFailure("integer overflow");
export const unsignedOverflow: CelFailure = new CelFailure("unsigned integer overflow");
const divisionByZero = new CelFailure("division by zero");
const modulusByZero = new CelFailure("modulus by zero");

/** Returns an int, or a failure if 64 bits do not hold it. */
export function checkedInt(value: bigint): CelInt | CelFailure {
  return isInt64(value) ? normalInt(value) : integerOverflow;
}

/** Returns a uint, or a failure if 64 bits do not hold it. */
export function checkedUint(value: bigint): CelUint | CelFailure {
  return value >= 0n && value <= maxUint64 ? new CelUint(normalInt(value)) : unsignedOverflow;
}

export function addInts(a: CelInt, b: CelInt): CelInt | CelFailure {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) {
      return sum;
    }
  }
  return checkedInt(BigInt(a) + BigInt(b));
}

export function subtractInts(a: CelInt, b: CelInt): CelInt | CelFailure {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) {
      return difference;
    }
  }
  return checkedInt(BigInt(a) - BigInt(b));
}

export function multiplyInts(a: CelInt, b: CelInt): CelInt | CelFailure {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (Number.isSafeInteger(product)) {
      // `0 * -1` is -0 in JavaScript.
      return product + 0;
    }
  }
  return checkedInt(BigInt(a) * BigInt(b));
}

/** Divides and drops the fraction. */
export function divideInts(a: CelInt, b: CelInt): CelInt | CelFailure {
  return b === 0 ? divisionByZero : checkedInt(BigInt(a) / BigInt(b));
}

/** Returns the rest of a division, with the sign of the dividend. */
export function moduloInts(a: CelInt, b: CelInt): CelInt | CelFailure {
  if (b === 0) {
    return modulusByZero;
  }
  const [dividend, divisor] = [BigInt(a), BigInt(b)];
  return divisor === -1n && !isInt64(-dividend) ? integerOverflow : normalInt(dividend % divisor);
}

export function negateInt(value: CelInt): CelInt | CelFailure {
  return checkedInt(-BigInt(value));
}

export function addUints(a: CelUint, b: CelUint): CelUint | CelFailure {
  return checkedUint(BigInt(a.value) + BigInt(b.value));
}

export function subtractUints(a: CelUint, b: CelUint): CelUint | CelFailure {
  return checkedUint(BigInt(a.value) - BigInt(b.value));
}

export function multiplyUints(a: CelUint, b: CelUint): CelUint | CelFailure {
  return checkedUint(BigInt(a.value) * BigInt(b.value));
}

export function divideUints(a: CelUint, b: CelUint): CelUint | CelFailure {
  return b.value === 0 ? divisionByZero : checkedUint(BigInt(a.value) / BigInt(b.value));
}

export function moduloUints(a: CelUint, b: CelUint): CelUint | CelFailure {
  return b.value === 0 ? modulusByZero : checkedUint(BigInt(a.value) % BigInt(b.value));
}

/** Converts a double to an int by dropping the fraction. */
export function doubleToInt({ value }: CelDouble): CelInt | CelFailure {
  // Both limits are excluded: the largest int is no double, and cel-go refuses the smallest one, too.
  return Number.isNaN(value) || Math.abs(value) >= 2 ** 63
    ? integerOverflow
    : normalInt(BigInt(Math.trunc(value)));
}

/** Converts a double to a uint by dropping the fraction. */
export function doubleToUint({ value }: CelDouble): CelUint | CelFailure {
  return Number.isNaN(value) || value < 0 || value >= 2 ** 64
    ? unsignedOverflow
    : new CelUint(normalInt(BigInt(Math.trunc(value))));
}
