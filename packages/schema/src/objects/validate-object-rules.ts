import { cause, type FieldErrors } from "@typekube/core/internal/field-errors";
import type { JsonObject } from "@typekube/core/internal/json";
import type { RuleValidator } from "../rules/rule-validator.js";
import { validateRules } from "../rules/validate-rules.js";

/** Errors of the schema after which rules are not evaluated: the object may not have the types that rules expect. */
const blocking: ReadonlySet<string> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/** A write of an object with rules. */
export interface ObjectRules {
  readonly object: JsonObject;
  /** The old object of an update. */
  readonly old?: JsonObject | undefined;
  /** Called for errors in parts that an update does not change. */
  warn(text: string): void;
}

/**
 * Evaluates the rules (`x-kubernetes-validations`) of a custom resource and appends their errors. They are not evaluated
 * if the object has errors by which it may have other types than its schema.
 */
export function validateObjectRules(
  validator: RuleValidator,
  { object, old, warn }: ObjectRules,
  errors: FieldErrors,
): void {
  if (errors.some(({ reason = "" }) => blocking.has(reason))) {
    errors.push(
      cause.invalid(
        "<nil>",
        null,
        "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
      ),
    );
    return;
  }
  const { causes, warnings } = validateRules(validator, object, old === undefined ? {} : { old });
  errors.push(...causes);
  for (const warning of warnings) {
    warn(warning);
  }
}
