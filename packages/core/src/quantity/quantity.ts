import { KubeError } from "../errors/kube-error.js";
import { formatQuantity } from "./format-quantity.js";
import { divideUp, nano, parseQuantity, type Quantity, quantityProblem } from "./parse-quantity.js";

/** A quantity as the API writes it: `100m`, `1.5Gi`, `2e3`, or a number. */
export type QuantityValue = bigint | number | string;

/**
 * Arithmetic with quantities. Results are exact to the nano unit and formatted as servers do: `quantity.add("500m",
 * "1")` is `1500m`. As in Go, the suffixes belong to the family of the first value that is not 0.
 *
 * Each function throws {@link KubeError} `InvalidArgument` for a value that is not a quantity.
 */
export interface QuantityFunctions {
  /** Returns the canonical text: `1024Mi` is `1Gi`, `0.1` is `100m`. */
  format(value: QuantityValue): string;
  /** Returns the sum; `0` without arguments. */
  add(...values: readonly QuantityValue[]): string;
  /** Subtracts the second value from the first. */
  subtract(value: QuantityValue, less: QuantityValue): string;
  /** Multiplies a value, rounded away from zero to the nano unit: `quantity.multiply("250m", 3)` is `750m`. */
  multiply(value: QuantityValue, factor: QuantityValue): string;
  /** Compares two values, for `Array.sort`: below 0 if the first is smaller, 0 if both are equal, otherwise above 0. */
  compare(one: QuantityValue, other: QuantityValue): number;
  /** Returns the value in whole units as a number, with the precision of a number: `quantity.toNumber("100m")` is 0.1. */
  toNumber(value: QuantityValue): number;
  /** Returns the value in whole units, rounded away from zero: bytes of memory, for example. */
  toBigInt(value: QuantityValue): bigint;
  /** Returns whether a server would read the value as a quantity. */
  isValid(value: unknown): value is QuantityValue;
}

/** Arithmetic with quantities; see {@link QuantityFunctions}. */
export const quantity: QuantityFunctions = {
  format: (value) => formatQuantity(read(value)),
  add(...values) {
    const all = values.map(read);
    return write(
      all.reduce((sum, { nanos }) => sum + nanos, 0n),
      all,
    );
  },
  subtract(value, less) {
    const [one, other] = [read(value), read(less)];
    return write(one.nanos - other.nanos, [one, other]);
  },
  multiply(value, factor) {
    const [one, other] = [read(value), read(factor)];
    return write(awayFromZero(one.nanos * other.nanos), [one]);
  },
  compare(one, other) {
    const difference = read(one).nanos - read(other).nanos;
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  },
  toNumber(value) {
    const { nanos } = read(value);
    // The whole part is converted separately: in nano units it may exceed the integers that a number holds exactly.
    return Number(nanos / nano) + Number(nanos % nano) / Number(nano);
  },
  toBigInt: (value) => awayFromZero(read(value).nanos),
  isValid: (value): value is QuantityValue =>
    ["bigint", "number", "string"].includes(typeof value) && parseQuantity(value) !== undefined,
};

function read(value: QuantityValue): Quantity {
  const found = parseQuantity(value);
  if (found === undefined) {
    const shown = typeof value === "string" ? JSON.stringify(value.slice(0, 64)) : String(value);
    throw new KubeError("InvalidArgument", `${shown} is not a quantity`, {
      hint: quantityProblem(value) ?? 'write it as "100m", "1.5Gi" or 2',
    });
  }
  return found;
}

function write(nanos: bigint, from: readonly Quantity[]): string {
  const family = from.find((one) => one.nanos !== 0n)?.family ?? from[0]?.family ?? "decimal";
  return formatQuantity({ nanos, family });
}

/** Converts nano units to whole units, rounded away from zero. */
function awayFromZero(nanos: bigint): bigint {
  return nanos < 0n ? -divideUp(-nanos, nano) : divideUp(nanos, nano);
}
