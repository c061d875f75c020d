import type { StatusCause } from "@typekube/core";

/** Field errors of an object, in the order in which they are reported; empty for a valid one. */
export type FieldErrors = StatusCause[];

/** Returns the field errors that a validation appends. */
export function collectErrors(validate: (errors: FieldErrors) => void): FieldErrors {
  const errors: FieldErrors = [];
  validate(errors);
  return errors;
}
