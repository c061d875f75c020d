import { mapOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

/** Strategy of the kind ResourceSlice. */
export const resourceSliceStrategy: KindStrategy = {
  rules: { generation: true, returnDeleted: true },
  gatedFields: { "spec.devices.*.nodeAllocatableResources": "DRANodeAllocatableResources" },
  fieldSelectors: {
    paths: ["spec.nodeName", "spec.driver"],
    namespaced: false,
    unknownField: (field, apiVersion) =>
      `field label not supported for ${apiVersion}, Kind=ResourceSlice: ${field}`,
  },
  columns: columnsFor("resourceslices.resource.k8s.io", {
    Node: column("Node of the devices.", (one) => specOf(one)["nodeName"] ?? ""),
    Driver: column("Driver of the devices.", (one) => specOf(one)["driver"]),
    Pool: column("Pool of the devices.", (one) => mapOf(specOf(one)["pool"])["name"]),
  }),
};
