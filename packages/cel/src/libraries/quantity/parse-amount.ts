import { type QuantityParts, splitQuantity } from "@typekube/core/internal/texts";
import { maxInt64 } from "../../values/cel-int.js";
import type { Amount } from "./amount.js";

/** An amount with the family of its suffix. */
export interface WrittenAmount {
  readonly amount: Amount;
  readonly family: QuantityParts["family"];
  /** The text if servers keep it. */
  readonly text: string | undefined;
}

/** Exponent of the smallest unit; smaller fractions are rounded away from zero. */
const nanoExponent = -9;
/** Exponent up to which a big number is held in nano units, as Go holds it. */
const maxNanoExponent = 1_000;
const twoTo63 = 2 ** 63;

/** Parses a quantity as apimachinery's `resource.ParseQuantity` does. Returns its message if the text is not a quantity. */
export function parseAmount(text: string): WrittenAmount | string {
  const parts = splitQuantity(text);
  if (typeof parts === "string") {
    return parts;
  }
  if (Math.abs(parts.exponent) >= twoTo63) {
    return "unable to parse quantity's suffix";
  }
  const digits = BigInt(parts.whole + parts.fraction);
  const isBinary = parts.family === "binary";
  const scaled = isBinary ? digits << BigInt(parts.exponent) : digits;
  // Go keeps 32 bits of the exponent.
  const suffixExponent = isBinary ? 0 : Number(BigInt.asIntN(32, BigInt(parts.exponent)));
  const size = { digits: scaled, exponent: suffixExponent - parts.fraction.length };
  if (parts.fitsInt64) {
    const amount = withSign({ ...size, isBig: false }, parts);
    return { amount, family: parts.family, text: parts.text };
  }
  const rounded = inNanos(size);
  const limited = isBinary ? atMostInt64(rounded) : rounded;
  return {
    amount: withSign({ ...limited, isBig: true }, parts),
    family: isBinary && isFraction(limited) ? "decimal" : parts.family,
    text: undefined,
  };
}

type Size = Omit<Amount, "isBig">;

function withSign(amount: Amount, { isNegative }: QuantityParts): Amount {
  return isNegative ? { ...amount, digits: -amount.digits } : amount;
}

/** Rounds up to nano units and counts in them. */
function inNanos({ digits, exponent }: Size): Size {
  if (digits === 0n || exponent > maxNanoExponent) {
    return { digits, exponent };
  }
  if (exponent >= nanoExponent) {
    return { digits: digits * 10n ** BigInt(exponent - nanoExponent), exponent: nanoExponent };
  }
  const dropped = nanoExponent - exponent;
  // All digits are dropped: the quotient is less than one.
  const divisor = dropped > digits.toString().length ? undefined : 10n ** BigInt(dropped);
  return {
    digits: divisor === undefined ? 1n : (digits + divisor - 1n) / divisor,
    exponent: nanoExponent,
  };
}

const oneInNanos = 1_000_000_000n;

/** Binary amounts are limited to 2^63 - 1. */
function atMostInt64(size: Size): Size {
  return size.exponent === nanoExponent && size.digits > maxInt64 * oneInNanos
    ? { digits: maxInt64, exponent: 0 }
    : size;
}

function isFraction({ digits, exponent }: Size): boolean {
  return exponent === nanoExponent && digits > 0n && digits < oneInNanos;
}
