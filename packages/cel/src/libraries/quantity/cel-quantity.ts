import { formatQuantity } from "@typekube/core/internal/texts";
import { CelFailure, noSuchOverload } from "../../values/cel-failure.js";
import type { CelInt } from "../../values/cel-int.js";
import { CelOpaque } from "../../values/cel-opaque.js";
import { type CelType, structType } from "../../values/cel-type.js";
import type { CelValue } from "../../values/cel-value.js";
import { type Amount, addAmounts, compareAmounts, signOf, subtractAmounts } from "./amount.js";
import { parseAmount, type WrittenAmount } from "./parse-amount.js";

/** Type of `quantity("1Gi")`. */
export const quantityType: CelType<CelQuantity> = structType("kubernetes.Quantity");

/** Largest exponent whose digits are written out. */
const maxExponent = 1_000;

/** A quantity of the API: `100m`, `1.5Gi`, `2e3`. */
export class CelQuantity extends CelOpaque {
  override readonly type: CelType<CelQuantity> = quantityType;
  readonly amount: Amount;
  readonly #family: WrittenAmount["family"];
  readonly #text: string | undefined;
  readonly #isComputed: boolean;

  constructor({ amount, family, text }: WrittenAmount, isComputed = false) {
    super();
    this.amount = amount;
    this.#family = family;
    this.#text = text;
    this.#isComputed = isComputed;
  }

  /** Kubernetes compares a quantity with a parsed one only, not with one that `add` or `sub` computed. */
  override equals(other: CelValue): boolean | CelFailure {
    return other instanceof CelQuantity && !other.#isComputed
      ? compareAmounts(this.amount, other.amount) === 0
      : noSuchOverload();
  }

  add(other: CelQuantity): CelQuantity | CelFailure {
    return this.#computed(addAmounts(this.amount, other.amount), other);
  }

  subtract(other: CelQuantity): CelQuantity | CelFailure {
    return this.#computed(subtractAmounts(this.amount, other.amount), other);
  }

  /** Keeps the family of the suffix, unless this quantity is 0. */
  #computed(amount: Amount | undefined, other: CelQuantity): CelQuantity | CelFailure {
    if (amount === undefined) {
      return new CelFailure("the exponents of the quantities are too far apart");
    }
    const family = signOf(this.amount) === 0 ? other.#family : this.#family;
    return new CelQuantity({ amount, family, text: undefined }, true);
  }

  /** Returns the text as servers write it. */
  override toString(): string {
    const { digits, exponent } = this.amount;
    return exponent > maxExponent
      ? `${digits}e${exponent}`
      : formatQuantity({ nanos: nanosOf(this.amount), family: this.#family, text: this.#text });
  }
}

/** Returns the amount in nano units. Only zeros have a smaller unit. */
function nanosOf({ digits, exponent }: Amount): bigint {
  const power = exponent + 9;
  return power < 0 ? digits / 10n ** BigInt(-power) : digits * 10n ** BigInt(power);
}

/** Parses a quantity. */
export function toQuantity(text: string): CelQuantity | CelFailure {
  const written = parseAmount(text);
  return typeof written === "string" ? new CelFailure(written) : new CelQuantity(written);
}

/** Returns an int as a quantity. */
export function quantityOfInt(value: CelInt): CelQuantity {
  const amount = { digits: BigInt(value), exponent: 0, isBig: false };
  return new CelQuantity({ amount, family: "exponent", text: undefined });
}
