const maxUint64 = 18_446_744_073_709_551_615n;
const twoTo64 = 2 ** 64;

/**
 * The smallest and the largest value that a size or a cost can have (unsigned 64-bit integers). Sums and products stop at
 * the largest integer instead of overflowing.
 */
export class Estimate {
  /** From 0 to the largest integer: nothing is known. */
  static readonly unknown: Estimate = new Estimate(0n, maxUint64);
  readonly min: bigint;
  readonly max: bigint;

  constructor(min: bigint, max: bigint) {
    this.min = min;
    this.max = max;
  }

  /** Returns an estimate whose smallest and largest value are equal. */
  static exactly(value: number | bigint): Estimate {
    const exact = BigInt(value);
    return new Estimate(exact, exact);
  }

  add(other: Estimate): Estimate {
    return new Estimate(capped(this.min + other.min), capped(this.max + other.max));
  }

  multiply(other: Estimate): Estimate {
    return new Estimate(capped(this.min * other.min), capped(this.max * other.max));
  }

  /** Multiplies by a factor such as 0.1 in floating point and rounds up, as Kubernetes does. */
  times(factor: number): Estimate {
    return new Estimate(scaled(this.min, factor), scaled(this.max, factor));
  }

  /** Returns the estimate that covers both. */
  union(other: Estimate): Estimate {
    return new Estimate(smaller(this.min, other.min), -smaller(-this.max, -other.max));
  }
}

/** Returns the smaller of two integers; `Math.min` takes no bigint. */
export function smaller(a: bigint, b: bigint): bigint {
  if (a < b) {
    return a;
  }
  return b;
}

function capped(value: bigint): bigint {
  return value > maxUint64 ? maxUint64 : value;
}

function scaled(value: bigint, factor: number): bigint {
  const product = Math.ceil(Number(value) * factor);
  return product >= twoTo64 ? maxUint64 : BigInt(product);
}
