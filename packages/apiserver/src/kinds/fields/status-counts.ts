import type { FieldErrors } from "../../errors/field-errors.js";
import { mapOf } from "../../objects/parts.js";
import { validateNotNegative } from "../../phases/validate/checks.js";

/** Appends the field errors of counts in a status: none may be negative. */
export function validateStatusCounts(
  names: readonly string[],
  status: unknown,
  errors: FieldErrors,
): void {
  for (const name of names) {
    validateNotNegative(mapOf(status)[name], `status.${name}`, errors);
  }
}
