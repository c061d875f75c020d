import { mapOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { validateFields } from "../fields/validate-fields.js";

/** Strategy of the kind IPAddress. */
export const ipAddressStrategy: KindStrategy = {
  rules: { names: "address" },
  validate: (address, errors) =>
    validateFields("networking/v1.IPAddressSpec", specOf(address), "spec", errors),
  columns: columnsFor("ipaddresses.networking.k8s.io", {
    ParentRef: column("Object with the address.", (one) => {
      const { group, resource, namespace, name } = mapOf(specOf(one)["parentRef"]);
      const type = (group ?? "") === "" ? String(resource) : `${String(resource)}.${String(group)}`;
      const home = (namespace ?? "") === "" ? "" : `${String(namespace)}/`;
      return `${type}/${home}${String(name)}`;
    }),
  }),
};
