import type { StatusCause } from "@typekube/core";
import { cause } from "../../errors/status-errors.js";
import { getOwn, isJsonObject } from "../../objects/json-value.js";
import { propertySchema, type StructuralSchema } from "./structural-schema.js";
import { schemaCause } from "./validate-schema.js";

/** Returns errors for duplicates in lists of type set or map. Each value is reported once, at its second occurrence. */
export function validateDuplicate(
  value: unknown,
  schema: StructuralSchema | undefined,
  path = "",
): StatusCause[] {
  if (schema === undefined) {
    return [];
  }
  if (Array.isArray(value)) {
    const own =
      schema.listType === "set"
        ? repeated(value, path)
        : schema.listType === "map"
          ? repeatedKeys(value, schema.listMapKeys, path)
          : [];
    const inner = value.flatMap((item, at) =>
      validateDuplicate(item, schema.items, `${path}[${at}]`),
    );
    return [...own, ...inner];
  }
  if (!isJsonObject(value)) {
    return [];
  }
  return Object.keys(value).flatMap((key) => {
    const property = schema.properties.has(key);
    const place = property ? (path === "" ? key : `${path}.${key}`) : `${path}[${key}]`;
    return validateDuplicate(value[key], propertySchema(schema, key), place);
  });
}

function repeatedKeys(
  items: readonly unknown[],
  keys: readonly string[],
  path: string,
): StatusCause[] {
  const stranger = items.findIndex((item) => item !== null && !isJsonObject(item));
  if (stranger >= 0) {
    const why = "must be an object for an array of list-type map";
    return [cause.invalid(`${path}[${stranger}]`, items[stranger], why)];
  }
  const sorted = [...keys].sort();
  const chosen = items.map((item) =>
    Object.fromEntries(
      sorted.flatMap((key) => {
        const value = isJsonObject(item) ? getOwn(item, key) : undefined;
        return value === undefined ? [] : [[key, value]];
      }),
    ),
  );
  return repeated(chosen, path);
}

function repeated(items: readonly unknown[], path: string): StatusCause[] {
  const times = new Map<string, number>();
  return items.flatMap((item, at) => {
    const text = JSON.stringify(item, bigintsAsText);
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    return before === 1 ? [schemaCause.duplicate(`${path}[${at}]`, item)] : [];
  });
}

function bigintsAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
