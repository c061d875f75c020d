/**
 * Returns the value of an integer given as decimal digits. Beyond 2^53 it is a `bigint`, because a number would be
 * inexact. An integer beyond 64 bits is a float to every server: it stays a number if that has the same digits.
 */
export function integerOf(digits: string): bigint | number {
  const number = Number(digits);
  if (Number.isSafeInteger(number)) {
    return number;
  }
  const exact = BigInt(digits);
  const isLong = BigInt.asIntN(64, exact) === exact;
  return isLong || String(number) !== digits ? exact : number;
}

/** From here on, numbers have an exponent when formatted, in Go as in JavaScript. */
const firstWithExponent = 1e21;

/** Returns a float as the server's JSON has it: a whole float looks like an integer there and is read as one. */
export function floatAsInJson(value: number): bigint | number {
  const isLarge = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isLarge && Math.abs(value) < firstWithExponent ? integerOf(String(value)) : value;
}
