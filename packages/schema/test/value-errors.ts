import { compileRe2 } from "@typekube/cel/re2";
import type { JsonObject } from "@typekube/core/internal";
import { collectErrors } from "@typekube/core/internal/field-errors";
import { readStructuralSchema } from "../src/structural/structural-schema.js";
import { validateValue } from "../src/values/validate-value.js";

/** Returns the errors of a value by its schema as texts; with an old value, those of an update. */
export function textsOf(schema: JsonObject, value: unknown, old?: unknown): string[] {
  const before = old === undefined ? undefined : { value: old };
  const structural = readStructuralSchema(schema);
  return collectErrors((errors) =>
    validateValue(value, structural, errors, { compilePattern: compileRe2, before }),
  ).map(({ reason, field, message }) => `${reason} at ${field}: ${message}`);
}
