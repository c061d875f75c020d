import type { StatusCause } from "@typekube/core";
import { cause } from "@typekube/core/internal/field-errors";
import type { StructuralSchema } from "../structural/structural-schema.js";
import { type Findings, fieldOf, isHidden, type Place } from "./findings.js";
import { valueCause } from "./value-cause.js";
import { hasFormat, isKnownFormat } from "./value-formats.js";

/** Returns the errors of a string: of its length or pattern (only the first), and of its format. */
export function validateString(text: string, schema: StructuralSchema, place: Place): Findings {
  const { maxLength, minLength, pattern, format } = schema.source;
  const field = fieldOf(place);
  const length = [...text].length;
  const causes: StatusCause[] = [];
  if (typeof maxLength === "number" && length > maxLength) {
    causes.push(cause.tooLong(field, maxLength));
  } else if (typeof minLength === "number" && length < minLength) {
    const why = `${place.path} in body should be at least ${minLength} chars long`;
    causes.push(valueCause.invalid(field, text, why, isHidden(schema, place)));
  } else if (typeof pattern === "string" && pattern !== "" && !fitsPattern(text, pattern, place)) {
    const why = `${place.path} in body should match '${pattern}'`;
    causes.push(valueCause.invalid(field, text, why, isHidden(schema, place)));
  }
  let matches = 1;
  if (typeof format === "string" && isKnownFormat(format, schema.intOrString ? "" : schema.type)) {
    const isText = schema.type === "" || schema.type === "string";
    matches += isText ? 1 : 0;
    if (isText && !hasFormat(text, format)) {
      const why = `${place.path} in body must be of type ${format}`;
      causes.push(
        isHidden(schema, place)
          ? { reason: "FieldValueTypeInvalid", message: `Invalid value: ${why}`, field }
          : cause.typeInvalid(field, text, `${why}: ${JSON.stringify(text)}`),
      );
    }
  }
  return { causes, matches };
}

function fitsPattern(text: string, pattern: string, { compilePattern }: Place): boolean {
  const compiled = compilePattern(pattern);
  // An invalid pattern was already rejected with its definition.
  return "problem" in compiled || compiled.test(text);
}

/** Returns the errors of a number. */
export function validateNumber(
  value: bigint | number,
  schema: StructuralSchema,
  place: Place,
): Findings {
  const { source, type } = schema;
  const { format } = source;
  // A server converts the bounds of a number field to integers for whole values, which cuts off their fraction.
  const cuts = type !== "integer" && isWhole(value);
  const [multipleOf, maximum, minimum] = [
    source["multipleOf"],
    source["maximum"],
    source["minimum"],
  ].map((bound) => (cuts && typeof bound === "number" ? Math.trunc(bound) : bound));
  const field = fieldOf(place);
  const { path } = place;
  const causes: StatusCause[] = [];
  const invalid = (shown: unknown, why: string) =>
    causes.push(valueCause.invalid(field, shown, why, isHidden(schema, place)));
  const refuse = (why: string) => invalid(value, `${path} in body should be ${why}`);
  if (type === "integer" && !isInRange(value, format)) {
    const kind = isKnownFormat(String(format ?? ""), type)
      ? `with format ${format}`
      : "(default format)";
    const why = `Checked value must be of type integer ${kind} in ${path}`;
    causes.push(cause.invalid(place.root === "" ? "<nil>" : place.root, "", why));
  }
  if (multipleOf === 0) {
    invalid(0, `factor MultipleOf declared for ${path} must be positive: 0`);
  } else if (typeof multipleOf === "number" && !isMultiple(value, multipleOf)) {
    refuse(`a multiple of ${multipleOf}`);
  }
  if (isNumber(minimum)) {
    if (source["exclusiveMinimum"] === true ? value <= minimum : value < minimum) {
      refuse(`greater than ${source["exclusiveMinimum"] === true ? "" : "or equal to "}${minimum}`);
    }
  }
  if (isNumber(maximum)) {
    if (source["exclusiveMaximum"] === true ? value >= maximum : value > maximum) {
      refuse(`less than ${source["exclusiveMaximum"] === true ? "" : "or equal to "}${maximum}`);
    }
  }
  return { causes, matches: 2 };
}

function isNumber(value: unknown): value is bigint | number {
  return typeof value === "number" || typeof value === "bigint";
}

function isMultiple(value: bigint | number, factor: number): boolean {
  if (typeof value === "bigint") {
    return Number.isInteger(factor) && factor > 0 && value % BigInt(factor) === 0n;
  }
  // Like the server: a factor below one is inverted first.
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

const maxInt32 = 2_147_483_647;

function isWhole(value: bigint | number): boolean {
  return typeof value === "bigint" || (Number.isInteger(value) && Math.abs(value) < 2 ** 63);
}

function isInRange(value: bigint | number, format: unknown): boolean {
  const isInteger = typeof value === "bigint" || Number.isInteger(value);
  return isInteger && (format !== "int32" || (value <= maxInt32 && value >= -maxInt32 - 1));
}
