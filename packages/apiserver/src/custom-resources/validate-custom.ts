import type { StructuralSchema } from "@typekube/schema";
import { cause, collectErrors, type FieldErrors } from "../errors/field-errors.js";
import type { ApiObject } from "../objects/api-object.js";
import { isJsonObject, type JsonObject } from "../objects/json-value.js";
import type { DefinedVersion } from "../resources/definition.js";
import { validateDuplicate } from "../schema/structural/list-uniqueness.js";
import { validateValue } from "../schema/structural/validate-value.js";
import { validateEmbedded } from "./embedded-metadata.js";

/** A write of a custom resource. */
export interface CustomWrite {
  readonly object: ApiObject;
  /** The old object of an update. */
  readonly old?: ApiObject | undefined;
  readonly subresource: string;
}

/** Appends the field errors of a custom resource. Errors in unchanged values are tolerated. */
export function validateCustomObject(
  { schema, scale }: DefinedVersion,
  { object, old, subresource }: CustomWrite,
  errors: FieldErrors,
): void {
  const isStatus = subresource === "status";
  if (isStatus) {
    validateCustomStatus(object["status"], schema.properties.get("status"), errors, old);
  } else {
    validateValue(object, schema, errors, { before: old && { value: old } });
  }
  if (scale !== undefined && !isStatus) {
    validateReplicas(object, scale.specReplicas, errors);
  }
  if (scale !== undefined) {
    validateReplicas(object, scale.statusReplicas, errors);
  }
  if (scale?.labelSelector !== undefined) {
    validateSelector(object, scale.labelSelector, errors);
  }
  if (!isStatus) {
    validateEmbedded(object, { ...schema, embeddedResource: false }, "", errors);
  }
  const hadDuplicates =
    old !== undefined && collectErrors((own) => validateDuplicate(old, schema, own)).length > 0;
  if (!hadDuplicates) {
    validateDuplicate(object, schema, errors);
  }
}

function validateCustomStatus(
  status: unknown,
  schema: StructuralSchema | undefined,
  errors: FieldErrors,
  old: ApiObject | undefined,
): void {
  if (schema !== undefined && status !== undefined) {
    const before = old?.["status"] === undefined ? undefined : { value: old["status"] };
    validateValue(status, schema, errors, { root: "status", before });
  }
}

const maxInt32 = 2_147_483_647;

function validateReplicas(object: JsonObject, path: readonly string[], errors: FieldErrors): void {
  const field = `.${path.join(".")}`;
  const { value, problem } = nested(object, path, "int64");
  if (problem !== undefined) {
    errors.push(cause.invalid(field, 0, problem));
    return;
  }
  const count = Number(value ?? 0);
  if (count < 0) {
    errors.push(cause.invalid(field, value, "should be a non-negative integer"));
  } else if (count > maxInt32) {
    errors.push(cause.invalid(field, value, `should be less than or equal to ${maxInt32}`));
  }
}

function validateSelector(object: JsonObject, path: readonly string[], errors: FieldErrors): void {
  const { problem } = nested(object, path, "string");
  if (problem !== undefined) {
    errors.push(cause.invalid(`.${path.join(".")}`, "", problem));
  }
}

/** Returns the value at a path, or the problem with the message of Go's accessors. */
function nested(
  object: JsonObject,
  path: readonly string[],
  type: "int64" | "string",
): { readonly value?: unknown; readonly problem?: string } {
  let value: unknown = object;
  for (const [at, key] of path.entries()) {
    if (!isJsonObject(value)) {
      return { problem: accessorProblem(path.slice(0, at + 1), value, "map[string]interface{}") };
    }
    if (!Object.hasOwn(value, key) || value[key] === undefined) {
      return {};
    }
    value = value[key];
  }
  const fits =
    type === "string"
      ? typeof value === "string"
      : Number.isInteger(value) || typeof value === "bigint";
  return fits ? { value } : { problem: accessorProblem(path, value, type) };
}

function accessorProblem(path: readonly string[], value: unknown, wanted: string): string {
  const names: Readonly<Record<string, string>> = { boolean: "bool", number: "float64" };
  const found = Array.isArray(value)
    ? "[]interface {}"
    : value === null
      ? "<nil>"
      : isJsonObject(value)
        ? "map[string]interface {}"
        : (names[typeof value] ?? typeof value);
  const shown =
    value === null ? "<nil>" : typeof value === "object" ? "value" : String(value as string);
  return `.${path.join(".")} accessor error: ${shown} is of the type ${found}, expected ${wanted}`;
}
