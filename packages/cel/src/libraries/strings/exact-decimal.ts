/** A positive decimal number, digits * 10^-scale. */
export interface Decimal {
  readonly digits: bigint;
  /** Number of digits behind the point; negative for zeros in front of it. */
  readonly scale: number;
}

/** Returns a positive finite double as a decimal number, exactly. */
export function exactDecimal(value: number): Decimal {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number(bits >> 52n);
  const fraction = BigInt.asUintN(52, bits);
  const mantissa = biased === 0 ? fraction : fraction | (1n << 52n);
  const exponent = Math.max(biased, 1) - 1075;
  return exponent < 0
    ? { digits: mantissa * 5n ** BigInt(-exponent), scale: -exponent }
    : { digits: mantissa << BigInt(exponent), scale: 0 };
}

/** Rounds to at most `scale` digits behind the point, a half to the even digit. */
export function roundedTo(decimal: Decimal, scale: number): Decimal {
  if (decimal.scale <= scale) {
    return decimal;
  }
  const divisor = 10n ** BigInt(decimal.scale - scale);
  const quotient = decimal.digits / divisor;
  const twice = 2n * (decimal.digits % divisor);
  const isUp = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return { digits: isUp ? quotient + 1n : quotient, scale };
}
