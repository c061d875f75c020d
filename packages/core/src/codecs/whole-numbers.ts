/**
 * The value of an integer that stands as decimal digits. Beyond 2^53 it is a `bigint`, since a number would lie. An integer
 * beyond 64 bits is a float to every server: it stays a number where that has the same digits.
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

/** From here on numbers have an exponent as text, in Go as in JavaScript. */
const firstWithExponent = 1e21;

/** A float as the server's JSON has it: a whole one looks like an integer there, and is read as one. */
export function floatAsInJson(value: number): bigint | number {
  const isLarge = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isLarge && Math.abs(value) < firstWithExponent ? integerOf(String(value)) : value;
}
