import {
  type RuleValidator,
  ruleValidator,
  type StructuralSchema,
  validateRules,
} from "@typekube/schema";
import { cause, type FieldErrors } from "../errors/field-errors.js";
import type { ApiObject } from "../objects/api-object.js";

/** Compiled rules by the schema; a schema is read once for each change of its definition. */
const validators = new WeakMap<StructuralSchema, RuleValidator | "none">();

/** Errors of the schema after which rules are not evaluated: the object may not have the types that rules expect. */
const blocking: ReadonlySet<string> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/**
 * Evaluates the rules (`x-kubernetes-validations`) of a custom resource and appends their errors.
 *
 * @param warn - Called for errors in parts that an update does not change.
 */
export function validateCustomRules(
  schema: StructuralSchema,
  object: ApiObject,
  old: ApiObject | undefined,
  errors: FieldErrors,
  { version, warn }: { readonly version: string; warn(text: string): void },
): void {
  const validator = validatorOf(schema, version);
  if (validator === "none") {
    return;
  }
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

function validatorOf(schema: StructuralSchema, version: string): RuleValidator | "none" {
  const known = validators.get(schema) ?? ruleValidator(schema, { version }) ?? "none";
  validators.set(schema, known);
  return known;
}
