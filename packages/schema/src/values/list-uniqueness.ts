import type { FieldErrors } from "@typekube/core/internal/field-errors";
import { getOwn, isJsonObject } from "@typekube/core/internal/json";
import { hasSecret } from "../structural/secret-values.js";
import { propertySchema, type StructuralSchema } from "../structural/structural-schema.js";
import { valueCause } from "./value-cause.js";

/** Appends errors for duplicates in lists of type set or map. Each value is reported once, at its second occurrence. */
export function validateDuplicate(
  value: unknown,
  schema: StructuralSchema | undefined,
  errors: FieldErrors,
  path = "",
): void {
  if (schema === undefined) {
    return;
  }
  if (Array.isArray(value)) {
    const own: FieldErrors = [];
    if (schema.listType === "set") {
      validateRepeated(value, schema, path, own);
    } else if (schema.listType === "map") {
      validateRepeatedKeys(value, schema, path, own);
    }
    const inner: FieldErrors = [];
    for (const [at, item] of value.entries()) {
      validateDuplicate(item, schema.items, inner, `${path}[${at}]`);
    }
    errors.push(...own);
    errors.push(...inner);
    return;
  }
  if (!isJsonObject(value)) {
    return;
  }
  for (const key of Object.keys(value)) {
    const property = schema.properties.has(key);
    const place = property ? (path === "" ? key : `${path}.${key}`) : `${path}[${key}]`;
    validateDuplicate(value[key], propertySchema(schema, key), errors, place);
  }
}

function validateRepeatedKeys(
  items: readonly unknown[],
  schema: StructuralSchema,
  path: string,
  errors: FieldErrors,
): void {
  const stranger = items.findIndex((item) => item !== null && !isJsonObject(item));
  if (stranger >= 0) {
    const why = "must be an object for an array of list-type map";
    const field = `${path}[${stranger}]`;
    errors.push(valueCause.invalid(field, items[stranger], why, hasSecret(schema)));
    return;
  }
  const sorted = [...schema.listMapKeys].sort();
  const chosen = items.map((item) =>
    Object.fromEntries(
      sorted.flatMap((key) => {
        const value = isJsonObject(item) ? getOwn(item, key) : undefined;
        return value === undefined ? [] : [[key, value]];
      }),
    ),
  );
  validateRepeated(chosen, schema, path, errors);
}

function validateRepeated(
  items: readonly unknown[],
  schema: StructuralSchema,
  path: string,
  errors: FieldErrors,
): void {
  const times = new Map<string, number>();
  for (const [at, item] of items.entries()) {
    const text = JSON.stringify(item, bigintsAsText);
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    if (before === 1) {
      errors.push(valueCause.duplicate(`${path}[${at}]`, item, hasSecret(schema)));
    }
  }
}

function bigintsAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
