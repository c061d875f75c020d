import type { IsSecret } from "@typekube/cel";
import { isJsonObject } from "@typekube/core/internal/json";
import { hasSecret, isSecret } from "../structural/secret-values.js";
import { propertySchema, type StructuralSchema } from "../structural/structural-schema.js";
import { unescapeFieldName } from "./field-names.js";

/** Returns what tells the paths of a rule at which a value is a secret or contains one. */
export function secretPaths(schema: StructuralSchema): IsSecret {
  return ([, ...steps]) => {
    let current: StructuralSchema | undefined = schema;
    for (const step of steps) {
      current = current === undefined ? undefined : schemaAt(current, step);
    }
    return current !== undefined && hasSecret(current);
  };
}

/** Returns the error of a rule without secrets of the values that it read: some errors contain a value. */
export function shownFailure(
  message: string,
  values: readonly unknown[],
  schema: StructuralSchema,
): string {
  const secrets = values.flatMap((value) => secretsOf(value, schema));
  return secrets.some((secret) => message.includes(secret))
    ? "an error that contains a secret value"
    : message;
}

function schemaAt(schema: StructuralSchema, step: string): StructuralSchema | undefined {
  switch (step) {
    case "@items":
      return schema.items;
    case "@keys":
      return undefined;
    case "@values":
      return typeof schema.additionalProperties === "object"
        ? schema.additionalProperties
        : undefined;
    default:
      return propertySchema(schema, unescapeFieldName(step) ?? step);
  }
}

/** Returns the secrets that a value contains. */
function secretsOf(value: unknown, schema: StructuralSchema): readonly string[] {
  if (!hasSecret(schema)) {
    return [];
  }
  if (typeof value === "string") {
    return isSecret(schema) && value !== "" ? [value] : [];
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? [] : value.flatMap((element) => secretsOf(element, items));
  }
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([key, field]) => {
        const part = propertySchema(schema, key);
        return part === undefined ? [] : secretsOf(field, part);
      })
    : [];
}
