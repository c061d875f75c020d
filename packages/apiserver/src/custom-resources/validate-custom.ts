import type { StatusCause } from "@typekube/core";
import { cause } from "../errors/status-errors.js";
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
  readonly before?: ApiObject | undefined;
  readonly subresource: string;
}

/** Returns the field errors of a custom resource. Errors in unchanged values are tolerated. */
export function validateCustomObject(
  { schema, scale }: DefinedVersion,
  { object, before, subresource }: CustomWrite,
): StatusCause[] {
  const isStatus = subresource === "status";
  const status = schema.properties.get("status");
  const bySchema = isStatus
    ? status === undefined || object["status"] === undefined
      ? []
      : validateValue(object["status"], status, {
          root: "status",
          before: before?.["status"] === undefined ? undefined : { value: before["status"] },
        })
    : validateValue(object, schema, { before: before && { value: before } });
  const repeated =
    before !== undefined && validateDuplicate(before, schema).length > 0
      ? []
      : validateDuplicate(object, schema);
  return [
    ...bySchema,
    ...(scale === undefined || isStatus ? [] : validateReplica(object, scale.specReplicas)),
    ...(scale === undefined ? [] : validateReplica(object, scale.statusReplicas)),
    ...(scale?.labelSelector === undefined ? [] : validateSelector(object, scale.labelSelector)),
    ...(isStatus ? [] : validateEmbedded(object, { ...schema, embeddedResource: false })),
    ...repeated,
  ];
}

const maxInt32 = 2_147_483_647;

function validateReplica(object: JsonObject, path: readonly string[]): StatusCause[] {
  const field = `.${path.join(".")}`;
  const { value, problem } = nested(object, path, "int64");
  if (problem !== undefined) {
    return [cause.invalid(field, 0, problem)];
  }
  const count = Number(value ?? 0);
  return count < 0
    ? [cause.invalid(field, value, "should be a non-negative integer")]
    : count > maxInt32
      ? [cause.invalid(field, value, `should be less than or equal to ${maxInt32}`)]
      : [];
}

function validateSelector(object: JsonObject, path: readonly string[]): StatusCause[] {
  const { problem } = nested(object, path, "string");
  return problem === undefined ? [] : [cause.invalid(`.${path.join(".")}`, "", problem)];
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
