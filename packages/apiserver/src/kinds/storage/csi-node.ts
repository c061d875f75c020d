import type { KindStrategy } from "../../resources/kind-strategy.js";
import { csiNodeColumns } from "./storage-columns.js";

/** Strategy of the kind CSINode. */
export const csiNodeStrategy: KindStrategy = {
  rules: { unconditionalUpdate: false, returnDeleted: true },
  gatedFields: { "status.storageHealth": "CSIVolumeHealth" },
  columns: csiNodeColumns,
};
