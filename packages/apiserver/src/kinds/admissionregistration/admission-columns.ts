import type { JsonObject } from "../../objects/json-value.js";
import { stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import type { TableColumn } from "../../resources/table-column.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

const unset = "<unset>";

const paramKind = column("Kind of the parameters.", (one) => {
  const { apiVersion, kind } = mapOf(specOf(one)["paramKind"]);
  return kind === undefined ? unset : `${String(apiVersion)}/${String(kind)}`;
});
const webhooks = {
  Webhooks: column("Number of webhooks.", (one) => objectsOf(one["webhooks"]).length),
};
const binding = {
  PolicyName: column("Policy that is bound.", (one) => specOf(one)["policyName"]),
  ParamRef: column("Object with the parameters.", (one) => {
    const { namespace, name, selector } = mapOf(specOf(one)["paramRef"]);
    if (name === undefined && selector === undefined) {
      return unset;
    }
    return `${String(namespace || "*")}/${String(name || "*")}`;
  }),
};

/** Columns of the kind MutatingWebhookConfiguration. */
export const mutatingWebhookConfigurationColumns: readonly TableColumn[] = columnsFor(
  "mutatingwebhookconfigurations.admissionregistration.k8s.io",
  webhooks,
);

/** Columns of the kind ValidatingWebhookConfiguration. */
export const validatingWebhookConfigurationColumns: readonly TableColumn[] = columnsFor(
  "validatingwebhookconfigurations.admissionregistration.k8s.io",
  webhooks,
);

/** Columns of the kind ValidatingAdmissionPolicy. */
export const validatingAdmissionPolicyColumns: readonly TableColumn[] = columnsFor(
  "validatingadmissionpolicies.admissionregistration.k8s.io",
  {
    Validations: column(
      "Number of validations.",
      (one) => objectsOf(specOf(one)["validations"]).length,
    ),
    ParamKind: paramKind,
  },
);

/** Columns of the kind MutatingAdmissionPolicy. */
export const mutatingAdmissionPolicyColumns: readonly TableColumn[] = columnsFor(
  "mutatingadmissionpolicies.admissionregistration.k8s.io",
  {
    Mutations: column("Number of mutations.", (one) => objectsOf(specOf(one)["mutations"]).length),
    ParamKind: paramKind,
  },
);

/** Columns of the kind ValidatingAdmissionPolicyBinding. */
export const validatingAdmissionPolicyBindingColumns: readonly TableColumn[] = columnsFor(
  "validatingadmissionpolicybindings.admissionregistration.k8s.io",
  binding,
);

/** Columns of the kind MutatingAdmissionPolicyBinding. */
export const mutatingAdmissionPolicyBindingColumns: readonly TableColumn[] = columnsFor(
  "mutatingadmissionpolicybindings.admissionregistration.k8s.io",
  binding,
);

/** Columns of the kind APIService. */
export const apiServiceColumns: readonly TableColumn[] = columnsFor(
  "apiservices.apiregistration.k8s.io",
  {
    Service: column("Service that handles the requests.", (one) => {
      const { namespace, name } = mapOf(specOf(one)["service"]);
      return name === undefined ? "Local" : `${String(namespace)}/${String(name)}`;
    }),
    Available: column("Availability of the service.", available),
  },
);

/** Columns of the kind StorageVersionMigration. */
export const storageVersionMigrationColumns: readonly TableColumn[] = columnsFor(
  "storageversionmigrations.storagemigration.k8s.io",
  {
    Resource: column("Resource that is migrated.", (one) => {
      const { group, resource } = mapOf(specOf(one)["resource"]);
      return (group ?? "") === "" ? resource : `${String(resource)}.${String(group)}`;
    }),
    Status: column("State of the migration.", ({ status }) =>
      String(
        objectsOf(mapOf(status)["conditions"]).find((one) => one["status"] === "True")?.["type"] ??
          "Pending",
      ),
    ),
  },
);

/** Columns of the kind CustomResourceDefinition. */
export const customResourceDefinitionColumns: readonly TableColumn[] = columnsFor(
  "customresourcedefinitions.apiextensions.k8s.io",
  {
    Scope: column("Scope of the objects.", (one) => specOf(one)["scope"]),
    Versions: column("Versions of the kind.", versionsText),
    Group: column("Group of the kind.", (one) => specOf(one)["group"]),
    Kind: column("Kind of the objects.", (one) => mapOf(specOf(one)["names"])["kind"]),
    ShortNames: column("Short names of the kind.", (one) =>
      stringsOf(mapOf(specOf(one)["names"])["shortNames"]).join(","),
    ),
    Established: column("True once the kind is served.", ({ status }) =>
      objectsOf(mapOf(status)["conditions"]).some(
        (one) => one["type"] === "Established" && one["status"] === "True",
      ),
    ),
  },
);

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
