import { compileRe2 } from "@typekube/cel/re2";
import type { CustomChecks, StructuralSchema } from "@typekube/schema";
import { type RuleValidator, ruleValidator } from "@typekube/schema/rules";
import { validateEmbeddedMetadata } from "../phases/validate/metadata.js";

/** What this server adds to the validation by a schema: the pattern engine, and the rules of metadata. */
export const customChecks: CustomChecks = {
  compilePattern: compileRe2,
  validateMetadata: validateEmbeddedMetadata,
};

/** Compiled rules by the schema; a schema is read once for each change of its definition. */
const validators = new WeakMap<StructuralSchema, RuleValidator | "none">();

/** Returns the compiled rules of a schema, or "none". */
export function validatorOf(schema: StructuralSchema, version: string): RuleValidator | "none" {
  const known = validators.get(schema) ?? ruleValidator(schema, { version }) ?? "none";
  validators.set(schema, known);
  return known;
}
