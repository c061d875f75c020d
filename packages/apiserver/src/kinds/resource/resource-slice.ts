import type { KindStrategy } from "../../resources/kind-strategy.js";
import { resourceSliceColumns } from "../fields/cluster-columns.js";

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
  columns: resourceSliceColumns,
};
