import {
  type Check,
  cause,
  collectErrors,
  type FieldErrors,
} from "@typekube/core/internal/field-errors";
import { isJsonObject, type JsonObject } from "@typekube/core/internal/json";
import type { CompilePattern } from "../structural/compile-pattern.js";
import type { StructuralSchema } from "../structural/structural-schema.js";
import { validateEmbedded } from "../values/embedded-resources.js";
import { validateDuplicate } from "../values/list-uniqueness.js";
import { validateValue } from "../values/validate-value.js";

/** The parts of a definition's version by which its objects are validated. */
export interface CustomSchema {
  readonly schema: StructuralSchema;
  /** Paths of the fields that the Scale of an object shows; `undefined` without the scale subresource. */
  readonly scale?: ScalePaths | undefined;
}

/** Paths of the fields that the Scale of an object shows, as keys. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  readonly labelSelector: readonly string[] | undefined;
}

/** A write of a custom resource. */
export interface CustomWrite {
  readonly object: JsonObject;
  /** The old object of an update. */
  readonly old?: JsonObject | undefined;
  /** Default: the object itself, which is the empty string. */
  readonly subresource?: string;
}

/** Functions on which the validation of custom resources depends. */
export interface CustomChecks {
  /** Compiles the patterns of the schema. */
  readonly compilePattern: CompilePattern;
  /** Appends the errors in the metadata of an embedded resource. Default: none. */
  readonly validateMetadata?: Check<JsonObject>;
}

/**
 * Appends the field errors of a custom resource, except for those of its rules (`validateObjectRules`). Errors in
 * unchanged values are tolerated.
 */
export function validateCustomObject(
  { schema, scale }: CustomSchema,
  { object, old, subresource = "" }: CustomWrite,
  errors: FieldErrors,
  { compilePattern, validateMetadata = () => {} }: CustomChecks,
): void {
  const isStatus = subresource === "status";
  if (isStatus) {
    const [status, before] = [object["status"], old?.["status"]];
    const statusSchema = schema.properties.get("status");
    if (statusSchema !== undefined && status !== undefined) {
      validateValue(status, statusSchema, errors, {
        compilePattern,
        root: "status",
        before: before === undefined ? undefined : { value: before },
      });
    }
  } else {
    validateValue(object, schema, errors, { compilePattern, before: old && { value: old } });
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
    validateEmbedded(object, { ...schema, embeddedResource: false }, "", errors, validateMetadata);
  }
  const hadDuplicates =
    old !== undefined && collectErrors((own) => validateDuplicate(old, schema, own)).length > 0;
  if (!hadDuplicates) {
    validateDuplicate(object, schema, errors);
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
