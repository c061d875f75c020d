import { isInt64 } from "../../values/cel-int.js";

/**
 * A decimal number `digits * 10^exponent`. As apimachinery's `resource.Quantity` it is held in 64 bits or, if that does
 * not suffice, as a big number: only the first is an integer for `isInteger`, even if the second has no fraction.
 */
export interface Amount {
  readonly digits: bigint;
  readonly exponent: number;
  readonly isBig: boolean;
}

/**
 * Difference of exponents up to which digits are aligned. A wider one comes only from exponents such as `1e1000000`,
 * whose digits would fill the memory.
 */
const maxAlignment = 100_000;

/** Returns the sum, `undefined` if the exponents are too far apart. */
export function addAmounts(a: Amount, b: Amount): Amount | undefined {
  return (a.isBig || b.isBig ? undefined : addSmall(a, b)) ?? addBig(a, b);
}

/** Returns the difference, `undefined` if the exponents are too far apart. */
export function subtractAmounts(a: Amount, b: Amount): Amount | undefined {
  const small = { ...b, digits: BigInt.asIntN(64, -b.digits) };
  return (
    (a.isBig || b.isBig ? undefined : addSmall(a, small)) ?? addBig(a, { ...b, digits: -b.digits })
  );
}

/** Adds in 64 bits; `undefined` if they do not suffice. */
function addSmall(a: Amount, b: Amount): Amount | undefined {
  if (b.digits === 0n || a.digits === 0n) {
    return b.digits === 0n ? a : b;
  }
  const exponent = Math.min(a.exponent, b.exponent);
  const [left, right] = [scaleInt64(a, exponent), scaleInt64(b, exponent)];
  if (left === undefined || right === undefined || !isInt64(left + right)) {
    return undefined;
  }
  return { digits: left + right, exponent, isBig: false };
}

function addBig(a: Amount, b: Amount): Amount | undefined {
  const exponent = Math.min(a.exponent, b.exponent);
  if (Math.abs(a.exponent - b.exponent) > maxAlignment) {
    return undefined;
  }
  const digits = aligned(a, exponent) + aligned(b, exponent);
  return { digits, exponent, isBig: true };
}

/** Returns the digits for a smaller exponent; `undefined` if they exceed 64 bits. */
function scaleInt64(amount: Amount, exponent: number): bigint | undefined {
  // 10^19 exceeds 64 bits.
  if (amount.digits !== 0n && amount.exponent - exponent > 19) {
    return undefined;
  }
  const digits = amount.digits === 0n ? 0n : aligned(amount, exponent);
  return isInt64(digits) ? digits : undefined;
}

function aligned({ digits, exponent }: Amount, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}

/** Returns the amount as an int; `undefined` if it has a fraction, exceeds 64 bits or is held as a big number. */
export function int64Of(amount: Amount): bigint | undefined {
  return amount.isBig || amount.exponent < 0 ? undefined : scaleInt64(amount, 0);
}

/** Returns -1, 0 or 1 for a negative amount, zero and a positive one. */
export function signOf({ digits }: Amount): -1 | 0 | 1 {
  return digits < 0n ? -1 : digits > 0n ? 1 : 0;
}

/** Returns -1, 0 or 1 if `a` is smaller than, equal to or greater than `b`. */
export function compareAmounts(a: Amount, b: Amount): -1 | 0 | 1 {
  const sign = signOf(a);
  if (sign !== signOf(b) || sign === 0) {
    return compareNumbers(sign, signOf(b));
  }
  const difference = a.exponent - b.exponent;
  if (Math.abs(difference) > maxAlignment) {
    // Compares the places of the first digits, which is exact unless the digits themselves are that long.
    const places = placeOf(a) - placeOf(b);
    return places * sign < 0 ? -1 : 1;
  }
  const exponent = Math.min(a.exponent, b.exponent);
  return compareNumbers(aligned(a, exponent), aligned(b, exponent));
}

function placeOf({ digits, exponent }: Amount): number {
  return digits.toString().length + exponent;
}

function compareNumbers<T extends bigint | number>(a: T, b: T): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the nearest double that Go computes: digits and the power of ten are rounded before they are multiplied. */
export function doubleOf({ digits, exponent }: Amount): number {
  const base = Number(digits);
  return exponent === 0 ? base : base * powerOfTen(exponent);
}

/** Powers of ten as Go's `math.Pow10` computes them: the product or quotient of two exact table entries. */
function powerOfTen(exponent: number): number {
  if (exponent > 308 || exponent < -323) {
    return exponent > 0 ? Number.POSITIVE_INFINITY : 0;
  }
  const size = Math.abs(exponent);
  const [large, small] = [size - (size % 32), size % 32];
  return exponent > 0
    ? Number(`1e${large}`) * Number(`1e${small}`)
    : Number(`1e-${large}`) / Number(`1e${small}`);
}
