import type { StatusCause } from "@typekube/core";
import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { getPath, type JsonObject, jsonEqual } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import type { ImmutableField } from "../../resources/immutable-field.js";

const fixed = "field is immutable";

/** Appends an error for each changed immutable field. */
export function validateImmutable(
  fields: readonly ImmutableField[],
  object: ApiObject,
  old: ApiObject,
  errors: FieldErrors,
): void {
  for (const field of fields) {
    const [value, oldValue] = [object, old].map((of) => getPath(of, ...field.path.split(".")));
    const isKept = jsonEqual(value ?? null, oldValue ?? null);
    if (!isKept && !(field.onceSet === true && (oldValue ?? "") === "")) {
      errors.push(errorOf(field, value));
    }
  }
}

function errorOf(
  { path, called = path, shows, why = fixed, forbidden }: ImmutableField,
  value: unknown,
): StatusCause {
  if (forbidden === true) {
    return cause.forbidden(called, why);
  }
  const shown = path === "roleRef" ? goNames(mapOf(value)) : value;
  return cause.invalid(called, shows === "null" ? null : (shown ?? null), why);
}

/** Formats a role reference like Go. */
function goNames({ apiGroup, kind, name }: JsonObject): JsonObject {
  return { APIGroup: apiGroup, Kind: kind, Name: name };
}
