import type { FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { mapOf, specOf } from "../../objects/parts.js";
import {
  validateOptional,
  validatePathSegment,
  validateSubdomain,
} from "../../phases/validate/checks.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import type { TableColumn } from "../../resources/table-column.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

/** Columns of the kind IPAddress. */
const ipAddressColumns: readonly TableColumn[] = columnsFor("ipaddresses.networking.k8s.io", {
  ParentRef: column("Object with the address.", (one) => {
    const { group, resource, namespace, name } = mapOf(specOf(one)["parentRef"]);
    const type = (group ?? "") === "" ? String(resource) : `${String(resource)}.${String(group)}`;
    const home = (namespace ?? "") === "" ? "" : `${String(namespace)}/`;
    return `${type}/${home}${String(name)}`;
  }),
});

/** Strategy of the kind IPAddress. */
export const ipAddressStrategy: KindStrategy = {
  rules: { names: "address" },
  validate: validateIpAddress,
  columns: ipAddressColumns,
};

function validateIpAddress(object: ApiObject, errors: FieldErrors): void {
  const parent = mapOf(specOf(object)["parentRef"]);
  validateOptional(parent["group"], validateSubdomain, "spec.parentRef.group", errors);
  for (const key of ["resource", "name", "namespace"]) {
    validateOptional(parent[key], validatePathSegment, `spec.parentRef.${key}`, errors);
  }
}
