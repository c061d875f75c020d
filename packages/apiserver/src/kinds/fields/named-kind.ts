import type { FieldErrors } from "../../errors/field-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import {
  validatePathSegment,
  validateRequiredWith,
  validateSubdomain,
} from "../../phases/validate/checks.js";

/** Appends the field errors of a reference to an object of any kind. */
export function validateNamedKind(
  { apiGroup, kind, name }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  if (typeof apiGroup === "string") {
    validateSubdomain(apiGroup, `${path}.apiGroup`, errors);
  }
  validateRequiredWith(kind, validatePathSegment, `${path}.kind`, errors);
  validateRequiredWith(name, validatePathSegment, `${path}.name`, errors);
}
