import { cause, type FieldErrors } from "./field-errors.js";

/** Appends the field errors of the value at a path. */
export type Check<T> = (value: T, path: string, errors: FieldErrors) => void;

/** Returns whether a value is undefined, null or the empty string. */
export function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** Appends an error if a value is not set. */
export function validateRequired(value: unknown, path: string, errors: FieldErrors): void {
  if (isUnset(value)) {
    errors.push(cause.required(path));
  }
}

/** Appends the errors of a check for each item of a list. */
export function validateItems<T>(
  items: readonly T[],
  validate: Check<T>,
  path: string,
  errors: FieldErrors,
): void {
  for (const [at, item] of items.entries()) {
    validate(item, `${path}[${at}]`, errors);
  }
}

/** Appends an error if a value is not one of a fixed set; it may be unset or empty. */
export function validateOneOf(
  value: unknown,
  words: readonly string[],
  path: string,
  errors: FieldErrors,
): void {
  if (!isUnset(value) && !words.includes(value as string)) {
    errors.push(cause.notSupported(path, value, words));
  }
}

/** Appends an error if a value is not one of a fixed set; it may be unset, but not empty. */
export function validateGivenOneOf(
  value: unknown,
  words: readonly string[],
  path: string,
  errors: FieldErrors,
): void {
  if (value !== undefined && value !== null && !words.includes(value as string)) {
    errors.push(cause.notSupported(path, value, words));
  }
}
