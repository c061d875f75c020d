import { KubeError, type Status, type StatusCause } from "@typekube/core";
import { cause } from "@typekube/core/internal/field-errors";
import { cloneJson, isJsonObject, type JsonObject } from "@typekube/core/internal/json";
import { fillDefaults, validateCustomObject } from "@typekube/schema";
import type { CheckedVersion } from "./checked-version.js";

/**
 * Returns a copy of an object with the defaults of fields that it lacks, as an object has that was stored before the
 * definition had them. Unknown fields stay. Rules are not evaluated.
 *
 * @throws {KubeError} `Invalid` with a cause for each field that does not fit the schema; `InvalidArgument` for a value
 * that is not an object of the kind.
 */
export function parseObject(version: CheckedVersion, value: unknown): JsonObject {
  const { apiVersion, kind, schema } = version;
  if (!isJsonObject(value)) {
    throw new KubeError("InvalidArgument", `parse() needs an object of the kind ${kind}`);
  }
  const object: JsonObject = fillDefaults({ apiVersion, kind, ...cloneJson(value) }, schema);
  const causes: StatusCause[] = [];
  for (const [key, wanted] of Object.entries({ kind, apiVersion })) {
    if (object[key] !== wanted) {
      causes.push(cause.invalid(key, object[key], `must be ${wanted}`));
    }
  }
  validateCustomObject({ ...version, scale: undefined }, { object }, causes, version.checks);
  if (causes.length > 0) {
    throw invalidError(version, object, causes);
  }
  return object;
}

function invalidError(
  { kind, apiVersion }: CheckedVersion,
  { metadata }: JsonObject,
  causes: readonly StatusCause[],
): KubeError {
  const name = isJsonObject(metadata) ? String(metadata["name"] ?? "") : "";
  const lines = causes.map(({ field, message }) => `${field}: ${message}`);
  const message = `${kind} ${JSON.stringify(name)} is invalid: ${lines.join(", ")}`;
  const group = apiVersion.slice(0, apiVersion.indexOf("/"));
  const status: Status = {
    apiVersion: "v1",
    kind: "Status",
    metadata: {},
    status: "Failure",
    message,
    reason: "Invalid",
    details: { name, group, kind, causes: [...causes] },
    code: 422,
  };
  return new KubeError("Invalid", message, { status, httpStatus: 422 });
}
