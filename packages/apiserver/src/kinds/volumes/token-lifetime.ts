import { cause, type FieldErrors } from "../../errors/field-errors.js";

const minTokenSeconds = 600;
const maxTokenSeconds = 2 ** 32;

/** Appends an error if a service account token for volumes lives too short or too long. */
export function validateTokenLifetime(seconds: unknown, path: string, errors: FieldErrors): void {
  if (typeof seconds === "number" && seconds < minTokenSeconds) {
    errors.push(cause.invalid(path, seconds, "may not specify a duration less than 10 minutes"));
  } else if (typeof seconds === "number" && seconds > maxTokenSeconds) {
    const why = "may not specify a duration larger than 2^32 seconds";
    errors.push(cause.invalid(path, seconds, why));
  }
}
