import type { StatusCause } from "@typekube/core";
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

/** Returns the field errors of a definition, checked before the server serves it. */
export function validateDefinition(
  object: ApiObject,
  before: ApiObject | undefined,
): StatusCause[] {
  const spec = isJsonObject(object["spec"]) ? object["spec"] : {};
  const { name = "" } = object.metadata;
  const required = `${String(getPath(spec, "names", "plural") ?? "")}.${String(spec["group"] ?? "")}`;
  return [
    ...(before === undefined && name !== required
      ? [cause.invalid("metadata.name", name, `must be spec.names.plural+"."+spec.group`)]
      : []),
    ...validateSpec(spec, versionsOf(object)),
    ...(before === undefined ? [] : validateFixedFields(spec, before)),
    ...validateStoredVersion(object),
    ...validateApproval(object, before),
    ...(spec["preserveUnknownFields"] === true
      ? [
          cause.invalid(
            "spec.preserveUnknownFields",
            true,
            "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
          ),
        ]
      : []),
  ];
}

function validateSpec(spec: JsonObject, versions: readonly JsonObject[]): StatusCause[] {
  const names = isJsonObject(spec["names"]) ? spec["names"] : {};
  const [first] = versions;
  const firstName = String(first?.["name"] ?? "");
  const seen = versions.map((version) => version["name"]);
  const storage = versions.filter((version) => version["storage"] === true);
  const wrongVersions = (why: string) =>
    cause.invalid("spec.versions", versions.length === 0 ? null : versions.map(goVersion), why);
  return [
    ...validateGroup(String(spec["group"] ?? "")),
    ...validateScope(String(spec["scope"] ?? "")),
    ...versions.flatMap((version, at) =>
      isJsonObject(getPath(version, "schema", "openAPIV3Schema"))
        ? []
        : [cause.required(`spec.versions[${at}].schema.openAPIV3Schema`)],
    ),
    ...versions.flatMap((version, at) => validateVersion(version, at, versions)),
    ...(new Set(seen).size < seen.length
      ? [wrongVersions("must contain unique version names")]
      : []),
    ...(storage.length === 1
      ? []
      : [wrongVersions("must have exactly one version marked as storage version")]),
    ...(firstName === "" || isDnsLabel(firstName)
      ? []
      : [cause.invalid("spec.version", firstName, dnsLabelText)]),
    ...["plural", "singular", "kind", "listKind"].flatMap((key) =>
      (names[key] ?? "") === "" ? [cause.required(`spec.names.${key}`)] : [],
    ),
    ...validateName(names, "spec.names"),
    ...(first === undefined ? [] : validateSharedVersionFields(first, versions)),
    ...validateConversion(spec),
  ];
}

function validateGroup(group: string): StatusCause[] {
  if (group === "") {
    return [cause.required("spec.group")];
  }
  return group.includes(".")
    ? []
    : [cause.invalid("spec.group", group, "should be a domain with at least one dot")];
}

function validateScope(scope: string): StatusCause[] {
  if (scope === "") {
    return [cause.required("spec.scope")];
  }
  return ["Cluster", "Namespaced"].includes(scope)
    ? []
    : [cause.notSupported("spec.scope", scope, ["Cluster", "Namespaced"])];
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
): StatusCause[] {
  const path = `spec.versions[${at}]`;
  const name = String(version["name"] ?? "");
  const { deprecationWarning } = version;
  return [
    ...(isDnsLabel(name) ? [] : [cause.invalid(`${path}.name`, name, dnsLabelText)]),
    ...(deprecationWarning !== undefined && version["deprecated"] !== true
      ? [
          cause.invalid(
            `${path}.deprecationWarning`,
            deprecationWarning,
            "can only be set for deprecated versions",
          ),
        ]
      : []),
    ...(isShared(versions, "schema") ? [] : validateSchema(version, `${path}.schema`)),
    ...(isShared(versions, "subresources") ? [] : validateScale(version, `${path}.subresources`)),
    ...(isShared(versions, "additionalPrinterColumns")
      ? []
      : validateColumn(version, `${path}.additionalPrinterColumns`)),
    ...(isShared(versions, "selectableFields")
      ? []
      : validateSelectable(version, `${path}.selectableFields`)),
  ];
}

function validateSharedVersionFields(
  first: JsonObject,
  versions: readonly JsonObject[],
): StatusCause[] {
  return [
    ...(isShared(versions, "schema") ? validateSchema(first, "spec.validation") : []),
    ...(isShared(versions, "subresources") ? validateScale(first, "spec.subresources") : []),
    ...(isShared(versions, "additionalPrinterColumns")
      ? validateColumn(first, "spec.additionalPrinterColumns")
      : []),
    ...(isShared(versions, "selectableFields")
      ? validateSelectable(first, "spec.selectableFields")
      : []),
  ];
}

function validateSchema(version: JsonObject, path: string): StatusCause[] {
  const source = getPath(version, "schema", "openAPIV3Schema");
  const hasStatus = isJsonObject(getPath(version, "subresources", "status"));
  return isJsonObject(source)
    ? validateSchemaDefinition(readStructuralSchema(source), `${path}.openAPIV3Schema`, hasStatus)
    : [];
}

/**
 * Returns errors for changed immutable fields: group and plural name, and once the definition is established also scope
 * and kind.
 */
function validateFixedFields(spec: JsonObject, before: ApiObject): StatusCause[] {
  const conditions = listOf(getPath(before, "status", "conditions"));
  const isEstablished = conditions.some(
    ({ type, status }) => type === "Established" && status === "True",
  );
  const paths = [
    ...(isEstablished ? [["scope"], ["names", "kind"]] : []),
    ["group"],
    ["names", "plural"],
  ];
  return paths.flatMap((path) => {
    const now = getPath(spec, ...path);
    return jsonEqual(now, getPath(before, "spec", ...path))
      ? []
      : [cause.invalid(`spec.${path.join(".")}`, now, "field is immutable")];
  });
}

function validateStoredVersion(object: ApiObject): StatusCause[] {
  const path = "status.storedVersions";
  const stored = stringsOf(getPath(object, "status", "storedVersions"));
  if (stored.length === 0) {
    return [cause.invalid(path, null, "must have at least one stored version")];
  }
  const names = versionsOf(object).map((version) => String(version["name"]));
  const unstored = versionsOf(object).filter(
    (version) => version["storage"] === true && !stored.includes(String(version["name"])),
  );
  return [
    ...unstored.map((version) =>
      cause.invalid(path, stored, `must have the storage version ${String(version["name"])}`),
    ),
    ...stored.flatMap((name, at) =>
      names.includes(name)
        ? []
        : [
            cause.invalid(
              `${path}[${at}]`,
              name,
              `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
            ),
          ],
    ),
  ];
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
