import { refused } from "../../templates/clause-rules.js";
import type { Clause } from "../../templates/template.js";
import { CelDouble } from "../../values/cel-double.js";
import type { CelFailure } from "../../values/cel-failure.js";
import type { CelInt } from "../../values/cel-int.js";
import { CelUint } from "../../values/cel-uint.js";
import type { CelValue } from "../../values/cel-value.js";
import { typeOf } from "../../values/type-of.js";
import { defaultPrecision, fixedPoint, scientific } from "./format-double.js";
import { formatString } from "./format-string.js";

/** Formats an argument as a clause says. */
export function formatClause(clause: Clause, value: CelValue): string | CelFailure {
  const { verb } = clause;
  if (verb === "s") {
    return formatString(value);
  }
  const text =
    verb === "f" || verb === "e" ? doubleText(clause, value) : integerText(clause, value);
  return text ?? refused(verb, typeOf(value).name);
}

function doubleText({ verb, precision = defaultPrecision }: Clause, value: CelValue) {
  const double = doubleOf(value);
  if (double === undefined) {
    return undefined;
  }
  return verb === "f" ? fixedPoint(double, precision) : scientific(double, precision);
}

/** Numbers that JSON writes as strings count as doubles, too. */
function doubleOf(value: CelValue): number | undefined {
  if (value === "NaN" || value === "Infinity" || value === "-Infinity") {
    return Number(value);
  }
  return value instanceof CelDouble ? value.value : undefined;
}

function integerText({ verb }: Clause, value: CelValue): string | undefined {
  switch (verb) {
    case "b":
      return typeof value === "boolean" ? String(Number(value)) : integerOf(value)?.toString(2);
    case "o":
      return integerOf(value)?.toString(8);
    case "x":
      return hexText(value);
    case "X":
      return hexText(value)?.toUpperCase();
    default:
      return integerOf(value)?.toString();
  }
}

function hexText(value: CelValue): string | undefined {
  if (typeof value !== "string" && !(value instanceof Uint8Array)) {
    return integerOf(value)?.toString(16);
  }
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function integerOf(value: CelValue): CelInt | undefined {
  if (value instanceof CelUint) {
    return value.value;
  }
  return typeof value === "number" || typeof value === "bigint" ? value : undefined;
}
