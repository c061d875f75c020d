import type { FieldErrors } from "../errors/field-errors.js";
import { cause } from "../errors/status-errors.js";
import type { ApiObject } from "../objects/api-object.js";
import {
  getPath,
  isJsonObject,
  type JsonObject,
  jsonEqual,
  stringsOf,
} from "../objects/json-value.js";
import { listOf, versionsOf } from "../resources/definition.js";
import { readStructuralSchema } from "../schema/structural/structural-schema.js";
import { validateApproval } from "./api-approval.js";
import { validateConversion } from "./validate-conversion.js";
import { dnsLabelText, isDnsLabel, validateName } from "./validate-definition-name.js";
import { validateSchemaDefinition } from "./validate-schema-definition.js";
import { validateColumn, validateScale, validateSelectable } from "./validate-version.js";

/** Appends the field errors of a definition, checked before the server serves it. */
export function validateDefinition(
  object: ApiObject,
  before: ApiObject | undefined,
  errors: FieldErrors,
): void {
  const spec = isJsonObject(object["spec"]) ? object["spec"] : {};
  const { name = "" } = object.metadata;
  const required = `${String(getPath(spec, "names", "plural") ?? "")}.${String(spec["group"] ?? "")}`;
  if (before === undefined && name !== required) {
    errors.push(cause.invalid("metadata.name", name, `must be spec.names.plural+"."+spec.group`));
  }
  validateSpec(spec, versionsOf(object), errors);
  if (before !== undefined) {
    validateFixedFields(spec, before, errors);
  }
  validateStoredVersion(object, errors);
  validateApproval(object, before, errors);
  if (spec["preserveUnknownFields"] === true) {
    errors.push(
      cause.invalid(
        "spec.preserveUnknownFields",
        true,
        "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
      ),
    );
  }
}

function validateSpec(
  spec: JsonObject,
  versions: readonly JsonObject[],
  errors: FieldErrors,
): void {
  const names = isJsonObject(spec["names"]) ? spec["names"] : {};
  const [first] = versions;
  const firstName = String(first?.["name"] ?? "");
  const seen = versions.map((version) => version["name"]);
  const storage = versions.filter((version) => version["storage"] === true);
  const wrongVersions = (why: string) =>
    cause.invalid("spec.versions", versions.length === 0 ? null : versions.map(goVersion), why);
  validateGroup(String(spec["group"] ?? ""), errors);
  validateScope(String(spec["scope"] ?? ""), errors);
  for (const [at, version] of versions.entries()) {
    if (!isJsonObject(getPath(version, "schema", "openAPIV3Schema"))) {
      errors.push(cause.required(`spec.versions[${at}].schema.openAPIV3Schema`));
    }
  }
  for (const [at, version] of versions.entries()) {
    validateVersion(version, at, versions, errors);
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
    if ((names[key] ?? "") === "") {
      errors.push(cause.required(`spec.names.${key}`));
    }
  }
  validateName(names, "spec.names", errors);
  if (first !== undefined) {
    validateSharedVersionFields(first, versions, errors);
  }
  validateConversion(spec, errors);
}

function validateGroup(group: string, errors: FieldErrors): void {
  if (group === "") {
    errors.push(cause.required("spec.group"));
    return;
  }
  if (!group.includes(".")) {
    errors.push(cause.invalid("spec.group", group, "should be a domain with at least one dot"));
  }
}

function validateScope(scope: string, errors: FieldErrors): void {
  if (scope === "") {
    errors.push(cause.required("spec.scope"));
    return;
  }
  if (!["Cluster", "Namespaced"].includes(scope)) {
    errors.push(cause.notSupported("spec.scope", scope, ["Cluster", "Namespaced"]));
  }
}

/**
 * Returns whether all versions have the same value. A server then reports errors at the path of the spec instead of the
 * version.
 */
function isShared(versions: readonly JsonObject[], key: string): boolean {
  const [first] = versions;
  return versions.every(
    (version) => version[key] !== undefined && jsonEqual(version[key], first?.[key]),
  );
}

function validateVersion(
  version: JsonObject,
  at: number,
  versions: readonly JsonObject[],
  errors: FieldErrors,
): void {
  const path = `spec.versions[${at}]`;
  const name = String(version["name"] ?? "");
  const { deprecationWarning } = version;
  if (!isDnsLabel(name)) {
    errors.push(cause.invalid(`${path}.name`, name, dnsLabelText));
  }
  if (deprecationWarning !== undefined && version["deprecated"] !== true) {
    errors.push(
      cause.invalid(
        `${path}.deprecationWarning`,
        deprecationWarning,
        "can only be set for deprecated versions",
      ),
    );
  }
  if (!isShared(versions, "schema")) {
    validateSchema(version, `${path}.schema`, errors);
  }
  if (!isShared(versions, "subresources")) {
    validateScale(version, `${path}.subresources`, errors);
  }
  if (!isShared(versions, "additionalPrinterColumns")) {
    validateColumn(version, `${path}.additionalPrinterColumns`, errors);
  }
  if (!isShared(versions, "selectableFields")) {
    validateSelectable(version, `${path}.selectableFields`, errors);
  }
}

function validateSharedVersionFields(
  first: JsonObject,
  versions: readonly JsonObject[],
  errors: FieldErrors,
): void {
  if (isShared(versions, "schema")) {
    validateSchema(first, "spec.validation", errors);
  }
  if (isShared(versions, "subresources")) {
    validateScale(first, "spec.subresources", errors);
  }
  if (isShared(versions, "additionalPrinterColumns")) {
    validateColumn(first, "spec.additionalPrinterColumns", errors);
  }
  if (isShared(versions, "selectableFields")) {
    validateSelectable(first, "spec.selectableFields", errors);
  }
}

function validateSchema(version: JsonObject, path: string, errors: FieldErrors): void {
  const source = getPath(version, "schema", "openAPIV3Schema");
  const hasStatus = isJsonObject(getPath(version, "subresources", "status"));
  if (isJsonObject(source)) {
    validateSchemaDefinition(
      readStructuralSchema(source),
      `${path}.openAPIV3Schema`,
      errors,
      hasStatus,
    );
  }
}

/**
 * Appends errors for changed immutable fields: group and plural name, and once the definition is established also scope
 * and kind.
 */
function validateFixedFields(spec: JsonObject, before: ApiObject, errors: FieldErrors): void {
  const conditions = listOf(getPath(before, "status", "conditions"));
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
    if (!jsonEqual(now, getPath(before, "spec", ...path))) {
      errors.push(cause.invalid(`spec.${path.join(".")}`, now, "field is immutable"));
    }
  }
}

function validateStoredVersion(object: ApiObject, errors: FieldErrors): void {
  const path = "status.storedVersions";
  const stored = stringsOf(getPath(object, "status", "storedVersions"));
  if (stored.length === 0) {
    errors.push(cause.invalid(path, null, "must have at least one stored version"));
    return;
  }
  const names = versionsOf(object).map((version) => String(version["name"]));
  const unstored = versionsOf(object).filter(
    (version) => version["storage"] === true && !stored.includes(String(version["name"])),
  );
  for (const version of unstored) {
    errors.push(
      cause.invalid(path, stored, `must have the storage version ${String(version["name"])}`),
    );
  }
  for (const [at, name] of stored.entries()) {
    if (!names.includes(name)) {
      errors.push(
        cause.invalid(
          `${path}[${at}]`,
          name,
          `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
        ),
      );
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
