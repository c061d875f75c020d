import { integerOf } from "../whole-numbers.js";
import { YamlProblem } from "./yaml-problem.js";

/** Value of a scalar. An integer beyond 2^53 is a `bigint`, so that no digits are lost. */
export type Scalar = bigint | boolean | number | string | null;

const words: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ...["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"].map(
    (word) => [word, true] as const,
  ),
  ...["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"].map(
    (word) => [word, false] as const,
  ),
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, null] as const),
]);

const notInJson = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const integer =
  /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]([0-7]+)|0([0-7]+)|(0|[1-9][0-9]*))$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

/**
 * Returns the value that a plain scalar has for an API server and for kubectl, which read YAML with go-yaml 2
 * (resolve.go): words and numbers of YAML 1.1 and 1.2, but no dates and no base 60.
 *
 * @param offset - position of the scalar, for the error about a number that JSON cannot have.
 */
export function resolvePlain(text: string, offset: number): Scalar {
  const first = text.charCodeAt(0);
  const isDigit = first >= 0x30 && first <= 0x39;
  if (isDigit || first === 0x2b || first === 0x2d || first === 0x2e) {
    if (notInJson.test(text)) {
      throw new YamlProblem("a number that JSON cannot express", offset);
    }
    // Go removes all underscores from a text that begins like an integer. After a leading point, only those between
    // digits are allowed.
    const underscores = first === 0x2e ? /(?<=[0-9])_(?=[0-9])/g : /_/g;
    return resolveNumber(text.replace(underscores, "")) ?? text;
  }
  const word = words.get(text);
  return word === undefined ? text : word;
}

/** Returns true for a text that is an integer to go-yaml; `1.0` and `1e3` are floats. */
export function isInteger(text: string): boolean {
  return integer.test(text.replaceAll("_", ""));
}

/** Longer texts are not examined: the patterns and `BigInt` are meant for numbers that people write. */
const maxNumberLength = 10_000;

function resolveNumber(text: string): bigint | number | undefined {
  if (text.length > maxNumberLength) {
    return undefined;
  }
  const [, sign, hex, binary, octal, oldOctal, decimal] = integer.exec(text) ?? [];
  if (decimal !== undefined) {
    const value = integerOf(sign === "-" ? `-${decimal}` : decimal);
    // Go reads an integer beyond the largest float as text.
    return value === 0 ? 0 : Number.isFinite(Number(value)) ? value : undefined;
  }
  const digits = octal ?? oldOctal;
  const source = hex ? `0x${hex}` : binary ? `0b${binary}` : digits ? `0o${digits}` : undefined;
  if (source !== undefined) {
    const magnitude = BigInt(source);
    const value = sign === "-" ? -magnitude : magnitude;
    const largest = sign === "" ? 2n ** 64n : 2n ** 63n;
    if (value >= -(2n ** 63n) && value < largest) {
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    }
  }
  return float.test(text) ? finite(Number(text)) : undefined;
}

/** Returns a finite value. Go reads a number that overflows a float as text. */
function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

/** Returns the name of a key that is infinite or NaN, for which JSON has no value; `undefined` for any other key. */
export function keyNotInJson(text: string): string | undefined {
  return notInJson.test(text) ? text.toLowerCase().replace("+", "") : undefined;
}

const largestSigned = 2n ** 63n;

/**
 * Returns the name of a plain key in JSON: `yes` is `true`, `010` is `8`, `1.10` is `1.1`. `undefined` for null and for
 * integers that need all 64 bits, which have no name.
 *
 * @param offset - position of the key.
 */
export function resolveKey(text: string, offset: number): string | undefined {
  const key = resolvePlain(text, offset);
  if (typeof key === "bigint") {
    if (key >= -largestSigned && key < 2n * largestSigned) {
      return key < largestSigned ? String(key) : undefined;
    }
    return floatText(Number(key));
  }
  if (typeof key === "number" && !isInteger(text)) {
    return floatText(key);
  }
  return key === null ? undefined : String(key);
}

/** Formats like Go's `FormatFloat(value, 'g', -1, 32)`: the shortest digits that give the same 32-bit float. */
function floatText(value: number): string {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) {
    return single < 0 ? "-.inf" : ".inf";
  }
  let fractionDigits = 0;
  while (Math.fround(Number(single.toExponential(fractionDigits))) !== single) {
    fractionDigits++;
  }
  const shortest = single.toExponential(fractionDigits);
  const [mantissa = "", exponent = "0"] = shortest.split("e");
  const power = Number(exponent);
  if (power < -4 || power >= 6) {
    return `${mantissa}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  return Object.is(value, -0) ? "-0" : String(Number(shortest));
}
