import { KubeError, type StatusCause } from "@typekube/core";
import { assertOptions, type OptionTable, oneOf } from "@typekube/core/internal";
import { cause } from "@typekube/core/internal/field-errors";
import { cloneJson, isJsonObject, type JsonObject } from "@typekube/core/internal/json";
import { dropNulls, fillDefaults, pruneObject, validateCustomObject } from "@typekube/schema";
import type { CheckedVersion } from "./checked-version.js";
import { metadataCauses } from "./metadata-causes.js";

/** Options of a check of an object. */
export interface CheckOptions {
  /** The old object, for an update. Default: the write is a create. */
  readonly old?: object | undefined;
  /** `status` for a write of the status. Default: a write of the object itself, in which a server ignores the status. */
  readonly subresource?: "status" | undefined;
}

/** Verdict of a server on a write. */
export interface CheckResult {
  /** The field errors, in the order of a server; empty if it accepts the write. */
  readonly causes: readonly StatusCause[];
  /** Texts about errors in parts that an update does not change, which a server tolerates. */
  readonly warnings: readonly string[];
}

/** Result of a simulated write. */
export interface SimulatedWrite extends CheckResult {
  /** The object with defaults and without unknown fields. */
  readonly object: JsonObject;
  /** Paths of the fields that are not in the schema and dropped, such as `spec.colour`. */
  readonly dropped: readonly string[];
}

const checkOptions: OptionTable<CheckOptions> = {
  old: { mustBe: "an object", isValid: isJsonObject },
  subresource: { ...oneOf("status"), hint: "leave it out for a write of the object itself" },
};

/**
 * Simulates a write of an object: pruning, defaults, names, labels and annotations, schema, list types, rules. A field whose
 * value is `undefined` is absent, and such an item of a list is null, as in JSON.
 *
 * @throws {KubeError} `InvalidArgument` for a value that is not an object.
 */
export function simulateWrite(
  version: CheckedVersion,
  given: unknown,
  options: CheckOptions = {},
): SimulatedWrite {
  assertOptions("check()", options, checkOptions);
  if (!isJsonObject(given)) {
    throw new KubeError("InvalidArgument", `check() needs an object of the kind ${version.kind}`);
  }
  const { subresource = "" } = options;
  // JSON has no undefined: a field is absent, and an item of a list is null.
  const old = cloneJson(options.old as JsonObject | undefined);
  const sent = cloneJson(given);
  const { schema, apiVersion, kind } = version;
  const pruned = pruneObject(
    { apiVersion, kind, ...sent, metadata: sent["metadata"] ?? {} },
    schema,
  );
  const whole = fillDefaults(dropNulls(pruned.object, schema), schema);
  const object = withWritableParts(version, whole, old, subresource);
  const causes: StatusCause[] = [...typeCauses(version, whole), ...nameCauses(whole)];
  const warnings: string[] = [];
  if (causes.length === 0) {
    causes.push(...metadataCauses(object, old === undefined));
    const write = { object, old, subresource };
    validateCustomObject(version, write, causes, version.checks);
    const { rules } = version;
    if (rules?.validator !== undefined) {
      const warn = (text: string) => warnings.push(text);
      rules.code.validateObjectRules(rules.validator, { object, old, warn }, causes);
    }
  }
  return { object, dropped: pruned.unknownFields, causes, warnings };
}

/** A write of the object keeps the old status, and a write of the status keeps all else. */
function withWritableParts(
  { hasStatus }: CheckedVersion,
  object: JsonObject,
  old: JsonObject | undefined,
  subresource: string,
): JsonObject {
  if (!hasStatus) {
    return object;
  }
  const { status: given, ...rest } = object;
  const { apiVersion, kind } = object;
  const base = subresource === "status" && old !== undefined ? { ...old, apiVersion, kind } : rest;
  const { status: _old, ...kept } = base;
  const status = subresource === "status" ? given : old?.["status"];
  return status === undefined ? kept : { ...kept, status };
}

function typeCauses(
  { apiVersion, kind }: CheckedVersion,
  object: JsonObject,
): readonly StatusCause[] {
  return Object.entries({ kind, apiVersion }).flatMap(([key, wanted]) =>
    object[key] === wanted ? [] : [cause.invalid(key, object[key], `must be ${wanted}`)],
  );
}

function nameCauses({ metadata }: JsonObject): readonly StatusCause[] {
  const { name, generateName } = isJsonObject(metadata) ? metadata : {};
  return name || generateName
    ? []
    : [cause.required("metadata.name", "name or generateName is required")];
}
