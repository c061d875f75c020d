/** A quantity of the API, exact to the nano unit, and the family of its suffix. */
export interface Quantity {
  readonly nanos: bigint;
  readonly family: "binary" | "decimal" | "exponent";
  /** Text that a server writes instead of the shortest one: the original text, if Go's parser considers it canonical. */
  readonly text?: string | undefined;
}

/** Number of nano units in one unit. */
export const nano = 1_000_000_000n;
/** Suffixes in steps of 1000, from the nano unit upwards. */
export const decimalSuffixes: readonly string[] = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
/** Suffixes in steps of 1024, from one upwards. */
export const binarySuffixes: readonly string[] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/** Matches outer spaces. Go trims the JSON of a text, in which tabs and line breaks are escapes and not spaces. */
const spaces =
  /^[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+|[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+$/g;
const pattern = /^([+-]?)(0*)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[+-]?\d*)$/;
const maxBinary = ((1n << 63n) - 1n) * nano;
/** Number of characters of the longest text that is read. Amounts of the API have about 20. */
export const maxQuantityLength = 1_000;
/**
 * Largest exponent that is read, positive or negative: computing a power of ten takes time and memory that grow with
 * the exponent.
 */
const maxExponent = 1_000;
/** Number of digits that always fit into an int64. */
const maxDigits = 18;
/** Same for a number times a power of two, whose digits Go estimates. */
const maxBinaryDigits = 14;

/** Explains with Go's message why a value is not a quantity; `undefined` when it is one. */
export function quantityProblem(value: unknown): string | undefined {
  const read = readQuantity(value);
  return typeof read === "string" ? read : undefined;
}

/**
 * Parses a quantity: `500m`, `1Gi`, `1e3`, 2. Amounts below a nano unit are rounded away from zero, and binary amounts
 * are limited to 2^63 - 1. (apimachinery `resource.ParseQuantity`)
 *
 * @returns `undefined` for a value that is not a quantity.
 */
export function parseQuantity(value: unknown): Quantity | undefined {
  const read = readQuantity(value);
  return typeof read === "string" ? undefined : read;
}

/** Parses a quantity, or explains why a value is not a quantity. */
function readQuantity(value: unknown): Quantity | string {
  const text = textOf(value);
  if (text.length > maxQuantityLength) {
    return `quantities must not be longer than ${maxQuantityLength} characters`;
  }
  const parts = splitQuantity(text);
  if (typeof parts === "string") {
    return parts;
  }
  const { isNegative, whole, fraction, exponent, family } = parts;
  if (Math.abs(exponent) > maxExponent) {
    return `the exponent of a quantity must be between -${maxExponent} and ${maxExponent}`;
  }
  const digits = BigInt(whole + fraction);
  const size =
    family === "binary"
      ? least(divideUp(digits * nano * (1n << BigInt(exponent)), tenTo(fraction.length)), maxBinary)
      : scaled(digits, exponent - fraction.length + 9);
  return {
    nanos: isNegative ? -size : size,
    family: family === "binary" && size < nano ? "decimal" : family,
    text: parts.text,
  };
}

/** The parts of a quantity's text. */
export interface QuantityParts {
  readonly isNegative: boolean;
  /** Digits before the point, without leading zeros; may be empty. */
  readonly whole: string;
  /** Digits behind the point. */
  readonly fraction: string;
  /** Power of ten of the suffix, or of two in the binary family. */
  readonly exponent: number;
  readonly family: Quantity["family"];
  /** True if Go reads the number into an int64, without rounding. */
  readonly fitsInt64: boolean;
  /** The text if Go keeps it. */
  readonly text: string | undefined;
}

/** Splits the text of a quantity, or returns Go's message why it is not a quantity. Numbers of any size are split. */
export function splitQuantity(text: string): QuantityParts | string {
  const match = text === "" ? null : pattern.exec(text);
  if (match === null) {
    return "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  }
  const [, sign = "", zeros = "", whole = "", fraction = "", unit = ""] = match;
  const suffix = suffixOf(unit);
  if (suffix === undefined) {
    return "unable to parse quantity's suffix";
  }
  const isSmall = fitsInt64(whole, fraction, suffix);
  if (!isSmall && zeros + whole + fraction === "") {
    return "unable to parse numeric part of quantity";
  }
  return {
    isNegative: sign === "-",
    whole,
    fraction,
    ...suffix,
    fitsInt64: isSmall,
    text: isSmall && looksCanonical(whole, fraction, suffix) ? text : undefined,
  };
}

/** Returns the text of a quantity; empty for a value that is neither text nor a number. */
function textOf(value: unknown): string {
  switch (typeof value) {
    case "string":
      return value.replace(spaces, "");
    case "bigint":
    case "number":
      return String(value);
    default:
      return "";
  }
}

interface Suffix {
  /** Power of ten, or of two in the binary family. */
  readonly exponent: number;
  readonly family: Quantity["family"];
}

function suffixOf(suffix: string): Suffix | undefined {
  const decimal = decimalSuffixes.indexOf(suffix);
  if (decimal >= 0) {
    return { exponent: decimal * 3 - 9, family: "decimal" };
  }
  const binary = binarySuffixes.indexOf(suffix);
  if (binary > 0) {
    return { exponent: binary * 10, family: "binary" };
  }
  return /^[eE][+-]?\d+$/.test(suffix)
    ? { exponent: Number(suffix.slice(1)), family: "exponent" }
    : undefined;
}

/** Returns whether Go reads the number into an int64, the only case in which it keeps the text. */
function fitsInt64(whole: string, fraction: string, { exponent, family }: Suffix): boolean {
  const length = Math.max(whole.length, 1);
  return family === "binary"
    ? fraction === "" && length + Math.trunc((exponent * 3) / 10) <= maxBinaryDigits
    : length + fraction.length <= maxDigits && exponent - fraction.length >= -9;
}

/** Returns whether Go considers a text that it has read to be in the form that it would write. */
function looksCanonical(whole: string, fraction: string, { exponent, family }: Suffix): boolean {
  return family === "binary"
    ? BigInt(whole) % 8n !== 0n
    : whole !== "" && (exponent - fraction.length) % 3 === 0 && !(whole + fraction).endsWith("000");
}

function scaled(digits: bigint, exponent: number): bigint {
  return exponent < 0 ? divideUp(digits, tenTo(-exponent)) : digits * tenTo(exponent);
}

function tenTo(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/** Divides and rounds up. */
export function divideUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
