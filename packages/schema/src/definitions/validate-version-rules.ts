import type { FieldErrors } from "@typekube/core/internal/field-errors";
import { getPath, type JsonObject, jsonEqual } from "@typekube/core/internal/json";
import { hasRules } from "../rules/has-rules.js";
import { readStructuralSchema, type StructuralSchema } from "../structural/structural-schema.js";
import type { DefinitionChecks } from "./definition-checks.js";
import { mapOf, versionsOf } from "./definition-parts.js";
import { isShared } from "./shared-fields.js";

/** Appends the errors in the rules of valid schemas. Versions with one schema report them once, as for other fields. */
export function validateVersionRules(
  versions: readonly JsonObject[],
  old: JsonObject | undefined,
  errors: FieldErrors,
  { version, warn, rules }: DefinitionChecks,
): void {
  if (!versions.some((one) => hasRules(schemaOf(one)))) {
    return;
  }
  const { checkRules, explainCosts, expressionsOf } = rules();
  const oldVersions = old === undefined ? [] : versionsOf(old);
  const known = new Set(oldVersions.flatMap((one) => [...expressionsOf(schemaOf(one))]));
  const shared = isShared(versions, "schema");
  const valid: { readonly schema: unknown; readonly isUnchanged: boolean }[] = [];
  for (const [at, one] of versions.entries()) {
    const path = shared ? "spec.validation" : `spec.versions[${at}].schema`;
    if (errors.some(({ field = "" }) => field.startsWith(path)) || (shared && at > 0)) {
      continue;
    }
    const { schema } = one;
    const before = oldVersions.find(({ name }) => name === one["name"]);
    const isUnchanged = before !== undefined && jsonEqual(before["schema"], schema);
    // Less is checked of an unchanged schema.
    if (valid.some((as) => (isUnchanged || !as.isUnchanged) && jsonEqual(as.schema, schema))) {
      continue;
    }
    const options = { version, known, isUnchanged };
    const place = `${path}.openAPIV3Schema`;
    const found = checkRules(schemaOf(one), place, options);
    errors.push(...found);
    if (found.length === 0) {
      valid.push({ schema, isUnchanged });
    }
    if (found.some(({ reason }) => reason === "FieldValueForbidden")) {
      for (const { path: rule, text } of explainCosts(schemaOf(one), place, options)) {
        warn(`${rule}: ${text}`);
      }
    }
  }
}

function schemaOf(version: JsonObject): StructuralSchema {
  return readStructuralSchema(mapOf(getPath(version, "schema", "openAPIV3Schema")));
}
