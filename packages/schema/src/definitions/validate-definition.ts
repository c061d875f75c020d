import {
  type Check,
  cause,
  type FieldErrors,
  validateOneOf,
  validateRequired,
} from "@typekube/core/internal/field-errors";
import {
  getPath,
  isJsonObject,
  type JsonObject,
  jsonEqual,
  stringsOf,
} from "@typekube/core/internal/json";
import { subdomainTexts } from "@typekube/core/internal/texts";
import { readStructuralSchema } from "../structural/structural-schema.js";
import { validateApproval } from "./api-approval.js";
import type { DefinitionChecks } from "./definition-checks.js";
import { listOf, mapOf, versionsOf } from "./definition-parts.js";
import { isShared } from "./shared-fields.js";
import { validateConversion } from "./validate-conversion.js";
import { dnsLabelText, isDnsLabel, validateDefinitionNames } from "./validate-definition-name.js";
import { validateDefinitionSchema } from "./validate-definition-schema.js";
import { validateColumns, validateScale, validateSelectableFields } from "./validate-version.js";
import { validateVersionRules } from "./validate-version-rules.js";

/**
 * Appends the field errors of a definition, checked before a server serves it.
 *
 * @param object - the definition with its defaults and, for a stored one, `status.storedVersions`.
 * @param old - the definition before an update.
 */
export function validateDefinition(
  object: JsonObject,
  old: JsonObject | undefined,
  errors: FieldErrors,
  checks: DefinitionChecks,
): void {
  const spec = mapOf(object["spec"]);
  const name = String(mapOf(object["metadata"])["name"] ?? "");
  const required = `${String(getPath(spec, "names", "plural") ?? "")}.${String(spec["group"] ?? "")}`;
  if (old === undefined && name !== required) {
    errors.push(cause.invalid("metadata.name", name, `must be spec.names.plural+"."+spec.group`));
  }
  validateSpec(spec, versionsOf(object), errors, checks);
  validateVersionRules(versionsOf(object), old, errors, checks);
  if (old !== undefined) {
    validateFixedFields(spec, old, errors);
  }
  validateStoredVersions(object, errors);
  validateApproval(object, old, errors);
  if (spec["preserveUnknownFields"] === true) {
    const why =
      "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
    errors.push(cause.invalid("spec.preserveUnknownFields", true, why));
  }
}

function validateSpec(
  spec: JsonObject,
  versions: readonly JsonObject[],
  errors: FieldErrors,
  checks: DefinitionChecks,
): void {
  const names = mapOf(spec["names"]);
  const [first] = versions;
  const firstName = String(first?.["name"] ?? "");
  const seen = versions.map((version) => version["name"]);
  const storage = versions.filter((version) => version["storage"] === true);
  const wrongVersions = (why: string) =>
    cause.invalid("spec.versions", versions.length === 0 ? null : versions.map(goVersion), why);
  const fields = versionFields(versions, checks);
  validateGroup(String(spec["group"] ?? ""), errors);
  validateRequired(spec["scope"], "spec.scope", errors);
  validateOneOf(spec["scope"], ["Cluster", "Namespaced"], "spec.scope", errors);
  for (const [at, version] of versions.entries()) {
    if (!isJsonObject(getPath(version, "schema", "openAPIV3Schema"))) {
      errors.push(cause.required(`spec.versions[${at}].schema.openAPIV3Schema`));
    }
  }
  for (const [at, version] of versions.entries()) {
    validateVersion(version, `spec.versions[${at}]`, fields, errors);
  }
  if (new Set(seen).size < seen.length) {
    errors.push(wrongVersions("must contain unique version names"));
  }
  if (storage.length !== 1) {
    errors.push(wrongVersions("must have exactly one version marked as storage version"));
  }
  if (firstName !== "" && !isDnsLabel(firstName)) {
    errors.push(cause.invalid("spec.version", firstName, dnsLabelText));
  }
  for (const key of ["plural", "singular", "kind", "listKind"]) {
    validateRequired(names[key], `spec.names.${key}`, errors);
  }
  validateDefinitionNames(names, "spec.names", errors);
  validateSharedFields(first, fields, errors);
  validateConversion(spec, errors);
}

function validateGroup(group: string, errors: FieldErrors): void {
  const problems = subdomainTexts(group);
  if (group === "") {
    errors.push(cause.required("spec.group"));
  } else if (problems.length > 0) {
    errors.push(cause.invalid("spec.group", group, problems.join(",")));
  } else if (!group.includes(".")) {
    errors.push(cause.invalid("spec.group", group, "should be a domain with at least one dot"));
  }
}

function validateVersion(
  version: JsonObject,
  path: string,
  fields: readonly VersionField[],
  errors: FieldErrors,
): void {
  const name = String(version["name"] ?? "");
  const { deprecationWarning: warning } = version;
  if (!isDnsLabel(name)) {
    errors.push(cause.invalid(`${path}.name`, name, dnsLabelText));
  }
  if (warning !== undefined && version["deprecated"] !== true) {
    const why = "can only be set for deprecated versions";
    errors.push(cause.invalid(`${path}.deprecationWarning`, warning, why));
  }
  for (const { key, validate, isShared } of fields) {
    if (!isShared) {
      validate(version, `${path}.${key}`, errors);
    }
  }
}

/** A field of versions. */
interface VersionField {
  readonly key: string;
  /** Checks the field of a version. */
  readonly validate: Check<JsonObject>;
  /**
   * True if all versions have the same value. Real servers store it once, and report errors at the path of the spec
   * instead of the version.
   */
  readonly isShared: boolean;
  /** Name of the field below the spec, if shared. */
  readonly sharedName: string;
}

function versionFields(
  versions: readonly JsonObject[],
  checks: DefinitionChecks,
): readonly VersionField[] {
  const field = (key: string, validate: Check<JsonObject>, sharedName = key): VersionField => ({
    key,
    validate,
    isShared: isShared(versions, key),
    sharedName,
  });
  return [
    field("schema", schemaCheck(checks), "validation"),
    field("subresources", validateScale),
    field("additionalPrinterColumns", validateColumns),
    field("selectableFields", validateSelectableFields),
  ];
}

function validateSharedFields(
  first: JsonObject | undefined,
  fields: readonly VersionField[],
  errors: FieldErrors,
): void {
  for (const { validate, isShared, sharedName } of fields) {
    if (first !== undefined && isShared) {
      validate(first, `spec.${sharedName}`, errors);
    }
  }
}

/** Returns a check of schemas that is not repeated for a schema of several versions, which is usual, if it is valid. */
function schemaCheck({ compilePattern }: DefinitionChecks): Check<JsonObject> {
  const valid: { readonly source: JsonObject; readonly hasStatus: boolean }[] = [];
  return (version, path, errors) => {
    const source = getPath(version, "schema", "openAPIV3Schema");
    const hasStatus = isJsonObject(getPath(version, "subresources", "status"));
    const isKnown = valid.some(
      (one) => one.hasStatus === hasStatus && jsonEqual(one.source, source),
    );
    if (!isJsonObject(source) || isKnown) {
      return;
    }
    const before = errors.length;
    const schema = readStructuralSchema(source);
    validateDefinitionSchema(schema, `${path}.openAPIV3Schema`, errors, {
      hasStatus,
      compilePattern,
    });
    if (errors.length === before) {
      valid.push({ source, hasStatus });
    }
  };
}

/**
 * Appends errors for changed immutable fields: group and plural name, and once the definition is established also scope
 * and kind.
 */
function validateFixedFields(spec: JsonObject, old: JsonObject, errors: FieldErrors): void {
  const conditions = listOf(getPath(old, "status", "conditions"));
  const isEstablished = conditions.some(
    ({ type, status }) => type === "Established" && status === "True",
  );
  const paths = [
    ...(isEstablished ? [["scope"], ["names", "kind"]] : []),
    ["group"],
    ["names", "plural"],
  ];
  for (const path of paths) {
    const now = getPath(spec, ...path);
    if (!jsonEqual(now, getPath(old, "spec", ...path))) {
      errors.push(cause.invalid(`spec.${path.join(".")}`, now, "field is immutable"));
    }
  }
}

function validateStoredVersions(object: JsonObject, errors: FieldErrors): void {
  const path = "status.storedVersions";
  const stored = stringsOf(getPath(object, "status", "storedVersions"));
  if (stored.length === 0) {
    errors.push(cause.invalid(path, null, "must have at least one stored version"));
    return;
  }
  const versions = versionsOf(object);
  for (const version of versions) {
    const name = String(version["name"]);
    if (version["storage"] === true && !stored.includes(name)) {
      errors.push(cause.invalid(path, stored, `must have the storage version ${name}`));
    }
  }
  for (const [at, name] of stored.entries()) {
    if (!versions.some((version) => String(version["name"]) === name)) {
      const why = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
      errors.push(cause.invalid(`${path}[${at}]`, name, why));
    }
  }
}

/** Formats a version like Go. */
function goVersion(version: JsonObject): JsonObject {
  return {
    Name: version["name"],
    Served: version["served"] === true,
    Storage: version["storage"] === true,
    Deprecated: version["deprecated"] === true,
    DeprecationWarning: version["deprecationWarning"] ?? null,
    Schema: null,
    Subresources: null,
    AdditionalPrinterColumns: null,
    SelectableFields: null,
  };
}
