import type { JsonObject } from "../../objects/json-value.js";
import { stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import type { TableColumn } from "../../resources/table-column.js";
import {
  ageColumn,
  boolean,
  createdColumn,
  integer,
  nameColumn,
  text,
  wide,
} from "../../response/table/make-column.js";

const unset = "<unset>";

const paramKind = text("ParamKind", "Kind of the parameters.", (one) => {
  const { apiVersion, kind } = mapOf(specOf(one)["paramKind"]);
  return kind === undefined ? unset : `${String(apiVersion)}/${String(kind)}`;
});
const webhooks = [
  nameColumn,
  integer("Webhooks", "Number of webhooks.", (one) => objectsOf(one["webhooks"]).length),
  ageColumn,
];
const binding = [
  nameColumn,
  text("PolicyName", "Policy that is bound.", (one) => specOf(one)["policyName"]),
  text("ParamRef", "Object with the parameters.", (one) => {
    const { namespace, name, selector } = mapOf(specOf(one)["paramRef"]);
    if (name === undefined && selector === undefined) {
      return unset;
    }
    return `${String(namespace || "*")}/${String(name || "*")}`;
  }),
  ageColumn,
];

/** Columns of the kind MutatingWebhookConfiguration. */
export const mutatingWebhookConfigurationColumns: readonly TableColumn[] = webhooks;

/** Columns of the kind ValidatingWebhookConfiguration. */
export const validatingWebhookConfigurationColumns: readonly TableColumn[] = webhooks;

/** Columns of the kind ValidatingAdmissionPolicy. */
export const validatingAdmissionPolicyColumns: readonly TableColumn[] = [
  nameColumn,
  integer(
    "Validations",
    "Number of validations.",
    (one) => objectsOf(specOf(one)["validations"]).length,
  ),
  paramKind,
  ageColumn,
];

/** Columns of the kind MutatingAdmissionPolicy. */
export const mutatingAdmissionPolicyColumns: readonly TableColumn[] = [
  nameColumn,
  integer("Mutations", "Number of mutations.", (one) => objectsOf(specOf(one)["mutations"]).length),
  paramKind,
  ageColumn,
];

/** Columns of the kind ValidatingAdmissionPolicyBinding. */
export const validatingAdmissionPolicyBindingColumns: readonly TableColumn[] = binding;

/** Columns of the kind MutatingAdmissionPolicyBinding. */
export const mutatingAdmissionPolicyBindingColumns: readonly TableColumn[] = binding;

/** Columns of the kind APIService. */
export const apiServiceColumns: readonly TableColumn[] = [
  nameColumn,
  text("Service", "Service that handles the requests.", (one) => {
    const { namespace, name } = mapOf(specOf(one)["service"]);
    return name === undefined ? "Local" : `${String(namespace)}/${String(name)}`;
  }),
  text("Available", "Availability of the service.", available),
  ageColumn,
];

/** Columns of the kind StorageVersionMigration. */
export const storageVersionMigrationColumns: readonly TableColumn[] = [
  { ...nameColumn, format: "" },
  text("Resource", "Resource that is migrated.", (one) => {
    const { group, resource } = mapOf(specOf(one)["resource"]);
    return (group ?? "") === "" ? resource : `${String(resource)}.${String(group)}`;
  }),
  text("Status", "State of the migration.", ({ status }) =>
    String(
      objectsOf(mapOf(status)["conditions"]).find((one) => one["status"] === "True")?.["type"] ??
        "Pending",
    ),
  ),
];

/** Columns of the kind CustomResourceDefinition. */
export const customResourceDefinitionColumns: readonly TableColumn[] = [
  nameColumn,
  text("Scope", "Scope of the objects.", (one) => specOf(one)["scope"]),
  text("Versions", "Versions of the kind.", versionsText),
  createdColumn,
  wide(text("Group", "Group of the kind.", (one) => specOf(one)["group"])),
  wide(text("Kind", "Kind of the objects.", (one) => mapOf(specOf(one)["names"])["kind"])),
  wide(
    text("ShortNames", "Short names of the kind.", (one) =>
      stringsOf(mapOf(specOf(one)["names"])["shortNames"]).join(","),
    ),
  ),
  wide(
    boolean("Established", "True once the kind is served.", ({ status }) =>
      objectsOf(mapOf(status)["conditions"]).some(
        (one) => one["type"] === "Established" && one["status"] === "True",
      ),
    ),
  ),
];

function available({ status }: JsonObject): string {
  const found = objectsOf(mapOf(status)["conditions"]).find(({ type }) => type === "Available");
  if (found === undefined) {
    return "Unknown";
  }
  const { status: value, reason } = found;
  return value === "True" ? "True" : `${String(value)} (${String(reason ?? "")})`;
}

function versionsText(definition: JsonObject): string {
  return objectsOf(specOf(definition)["versions"])
    .map(({ name, storage, served }) => {
      const marks = [
        ...(storage === true ? ["storage"] : []),
        ...(served === true ? [] : ["unserved"]),
      ];
      return marks.length === 0 ? String(name) : `${String(name)}(${marks.join(",")})`;
    })
    .join(",");
}
