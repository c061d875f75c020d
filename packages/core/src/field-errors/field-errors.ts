import { stringifyJson } from "../codecs/json/encode.js";
import type { StatusCause } from "../errors/status.js";
import { goQuoted } from "./go-value.js";

/** Field errors of an object, in the order in which they are reported; empty for a valid one. */
export type FieldErrors = StatusCause[];

/** Returns the field errors that a validation appends. */
export function collectErrors(validate: (errors: FieldErrors) => void): FieldErrors {
  const errors: FieldErrors = [];
  validate(errors);
  return errors;
}

/** Creates field errors, the causes of a 422. */
export const cause = {
  required: (field: string, why?: string): StatusCause => ({
    reason: "FieldValueRequired",
    message: why === undefined ? "Required value" : `Required value: ${why}`,
    field,
  }),
  forbidden: (field: string, why: string): StatusCause => ({
    reason: "FieldValueForbidden",
    message: why === "" ? "Forbidden" : `Forbidden: ${why}`,
    field,
  }),
  invalid: (field: string, value: unknown, why: string): StatusCause => ({
    reason: "FieldValueInvalid",
    message: `Invalid value: ${goValue(value)}: ${why}`,
    field,
  }),
  typeInvalid: (field: string, value: unknown, why: string): StatusCause => ({
    reason: "FieldValueTypeInvalid",
    message: `Invalid value: ${goValue(value)}: ${why}`,
    field,
  }),
  duplicate: (field: string, value: unknown): StatusCause => ({
    reason: "FieldValueDuplicate",
    message: `Duplicate value: ${goValue(value)}`,
    field,
  }),
  notFound: (field: string, value: unknown, why?: string): StatusCause => ({
    reason: "FieldValueNotFound",
    message: `Not found: ${goValue(value)}${why === undefined ? "" : `: ${why}`}`,
    field,
  }),
  notSupported: (field: string, value: unknown, supported: readonly string[]): StatusCause => ({
    reason: "FieldValueNotSupported",
    message: `Unsupported value: ${goValue(value)}: supported values: ${supported.map(goQuoted).join(", ")}`,
    field,
  }),
  tooMany: (field: string, count: number, most: number): StatusCause => ({
    reason: "FieldValueTooMany",
    message: `Too many: ${count}: must have at most ${most} ${most === 1 ? "item" : "items"}`,
    field,
  }),
  tooLong: (field: string, most: number, unit: "byte" | "character" = "byte"): StatusCause => ({
    reason: "FieldValueTooLong",
    message: `Too long: may not be more than ${most} ${most === 1 ? unit : `${unit}s`}`,
    field,
  }),
} as const;

function goValue(value: unknown): string {
  if (typeof value === "string") {
    return goQuoted(value);
  }
  return value === undefined ? "null" : goJson(value);
}

/** Go's JSON can stand in a page of HTML. (encoding/json) */
function goJson(value: unknown): string {
  return stringifyJson(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
