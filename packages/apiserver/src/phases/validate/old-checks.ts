import type { FieldErrors } from "../../errors/field-errors.js";
import {
  validateCountOrPercent,
  validateDnsLabel,
  validateGivenOneOf,
  validateLabels,
  validateLabelValue,
  validateNotNegative,
  validateOneOf,
  validatePort,
  validatePortOrName,
  validateQualifiedName,
  validateRange,
  validateRequired,
  validateSubdomain,
  validateUnique,
} from "./checks.js";

const maxInt32 = 2_147_483_647;

/** Checks that a value is set. */
export function required(field: string, value: unknown): FieldErrors {
  const errors: FieldErrors = [];
  validateRequired(value, field, errors);
  return errors;
}

/** Checks that a value is one of a fixed set; it may be unset or empty. */
export function oneOf(field: string, value: unknown, words: readonly string[]): FieldErrors {
  const errors: FieldErrors = [];
  validateOneOf(value, words, field, errors);
  return errors;
}

/** Checks that a value is one of a fixed set; it may be unset, but not empty. */
export function givenOneOf(field: string, value: unknown, words: readonly string[]): FieldErrors {
  const errors: FieldErrors = [];
  validateGivenOneOf(value, words, field, errors);
  return errors;
}

/** Checks that a number is not negative; it may be unset. */
export function notNegative(field: string, value: unknown): FieldErrors {
  const errors: FieldErrors = [];
  validateNotNegative(value, field, errors);
  return errors;
}

/** Checks that a number is in a range; it may be unset. */
export function between(
  field: string,
  value: unknown,
  least: number,
  most: number = maxInt32,
): FieldErrors {
  const errors: FieldErrors = [];
  validateRange(value, [least, most], field, errors);
  return errors;
}

/** Checks a port number. */
export function portNumber(field: string, value: unknown): FieldErrors {
  const errors: FieldErrors = [];
  validatePort(value, field, errors);
  return errors;
}

/** Checks a port number or name. */
export function portOrName(field: string, value: unknown): FieldErrors {
  const errors: FieldErrors = [];
  validatePortOrName(value, field, errors);
  return errors;
}

/** Checks a DNS label. */
export function dnsLabel(field: string, value: unknown): FieldErrors {
  const errors: FieldErrors = [];
  validateDnsLabel(value, field, errors);
  return errors;
}

/** Checks a DNS subdomain. */
export function subdomain(field: string, value: unknown): FieldErrors {
  const errors: FieldErrors = [];
  validateSubdomain(value, field, errors);
  return errors;
}

/** Checks a name with an optional prefix, such as a label key. */
export function qualifiedName(field: string, name: string, shown: string = name): FieldErrors {
  const errors: FieldErrors = [];
  validateQualifiedName(name, field, errors, shown);
  return errors;
}

/** Checks a label value. */
export function labelValue(field: string, value: string): FieldErrors {
  const errors: FieldErrors = [];
  validateLabelValue(value, field, errors);
  return errors;
}

/** Checks labels, or the labels in a selector. */
export function labels(field: string, given: unknown): FieldErrors {
  const errors: FieldErrors = [];
  validateLabels(given, field, errors);
  return errors;
}

/** Checks a number or percentage; `most` limits the percentage. */
export function countOrPercent(field: string, value: unknown, most?: number): FieldErrors {
  const errors: FieldErrors = [];
  validateCountOrPercent(value, field, errors, most);
  return errors;
}

/** Returns errors for duplicate values in a list. */
export function duplicates(
  values: readonly unknown[],
  fieldOf: (at: number) => string,
): FieldErrors {
  const errors: FieldErrors = [];
  validateUnique(values, fieldOf, errors);
  return errors;
}
