import { CelDouble } from "../../values/cel-double.js";
import { CelFailure } from "../../values/cel-failure.js";
import { CelUint } from "../../values/cel-uint.js";
import type { CelInt, CelValue } from "../../values/cel-value.js";
import { typeOf } from "../../values/type-of.js";
import { fixedPoint, scientific } from "./format-double.js";
import { formatString } from "./format-string.js";

/** Formats one argument of `format`. */
export type FormatArgument = (value: CelValue) => string | CelFailure;

/** Digits behind the point of `%f` and `%e` when a clause gives none. */
const defaultPrecision = 6;

/** The verbs of clauses; each receives the clause's precision. */
export const verbs: ReadonlyMap<string, (precision: number | undefined) => FormatArgument> =
  new Map([
    ["s", () => formatString],
    ["d", () => formatDecimal],
    ["f", (precision) => formatFixed(precision ?? defaultPrecision)],
    ["e", (precision) => formatScientific(precision ?? defaultPrecision)],
    ["b", () => formatBinary],
    ["o", () => formatOctal],
    ["x", () => formatHex],
    ["X", () => formatUpperHex],
  ]);

function integerOf(value: CelValue): CelInt | undefined {
  if (value instanceof CelUint) {
    return value.value;
  }
  return typeof value === "number" || typeof value === "bigint" ? value : undefined;
}

function formatDecimal(value: CelValue): string | CelFailure {
  return integerOf(value)?.toString() ?? refused("decimal clause can only be used on integers", value);
}

function formatBinary(value: CelValue): string | CelFailure {
  if (typeof value === "boolean") {
    return value ? "1" : "0";
  }
  return (
    integerOf(value)?.toString(2) ??
    refused("only integers and bools can be formatted as binary", value)
  );
}

function formatOctal(value: CelValue): string | CelFailure {
  return (
    integerOf(value)?.toString(8) ?? refused("octal clause can only be used on integers", value)
  );
}

function formatHex(value: CelValue): string | CelFailure {
  if (typeof value === "string" || value instanceof Uint8Array) {
    const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }
  return (
    integerOf(value)?.toString(16) ??
    refused("only integers, byte buffers, and strings can be formatted as hex", value)
  );
}

function formatUpperHex(value: CelValue): string | CelFailure {
  const text = formatHex(value);
  return typeof text === "string" ? text.toUpperCase() : text;
}

function formatFixed(precision: number): FormatArgument {
  return (value) => {
    const double = doubleOf(value);
    return double === undefined
      ? refused("fixed-point clause can only be used on doubles", value)
      : fixedPoint(double, precision);
  };
}

function formatScientific(precision: number): FormatArgument {
  return (value) => {
    const double = doubleOf(value);
    return double === undefined
      ? refused("scientific clause can only be used on doubles", value)
      : scientific(double, precision);
  };
}

/** Numbers that JSON writes as strings count as doubles, too. */
function doubleOf(value: CelValue): number | undefined {
  if (value === "NaN" || value === "Infinity" || value === "-Infinity") {
    return Number(value);
  }
  return value instanceof CelDouble ? value.value : undefined;
}

function refused(rule: string, value: CelValue): CelFailure {
  return new CelFailure(`${rule}, was given ${typeOf(value).name}`);
}
