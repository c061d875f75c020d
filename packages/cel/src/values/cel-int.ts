/**
 * An int (64 bits): a number while it is a safe integer, else a bigint. One integer never has two forms, so `===`
 * compares ints. A double is a `CelDouble`.
 */
export type CelInt = number | bigint;

/** Largest int. */
export const maxInt64 = 9_223_372_036_854_775_807n;
/** Smallest int. */
export const minInt64 = -9_223_372_036_854_775_808n;

/** Returns an integer in its one form: a number if it is safe, else a bigint. Does not check the range. */
export function normalInt(value: bigint): CelInt {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Returns true if the integer fits into 64 bits, signed. */
export function isInt64(value: bigint): boolean {
  return value >= minInt64 && value <= maxInt64;
}
