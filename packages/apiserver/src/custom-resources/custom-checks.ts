import { type CustomChecks, hasRules, type StructuralSchema } from "@typekube/schema";
import type { ObjectRules, RuleValidator } from "@typekube/schema/rules";
import type { FieldErrors } from "../errors/field-errors.js";
import { validateEmbeddedMetadata } from "../phases/validate/metadata.js";
import { compilePattern, loadedRules } from "./load-rules.js";

/** The pattern engine and the rules of metadata, which the validation by a schema takes as arguments. */
export const customChecks: CustomChecks = {
  compilePattern,
  validateMetadata: validateEmbeddedMetadata,
};

/** Compiled rules by the schema; a schema is read once for each change of its definition. */
const validators = new WeakMap<StructuralSchema, RuleValidator | "none">();

/** Evaluates the rules of a schema on a custom resource and appends their errors. */
export function validateCustomRules(
  schema: StructuralSchema,
  write: ObjectRules,
  errors: FieldErrors,
  version: string,
): void {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = (hasRules(schema) && loadedRules().ruleValidator(schema, { version })) || "none";
    validators.set(schema, validator);
  }
  if (validator !== "none") {
    loadedRules().validateObjectRules(validator, write, errors);
  }
}
