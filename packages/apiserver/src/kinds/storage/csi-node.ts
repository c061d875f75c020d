import { objectsOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

/** Strategy of the kind CSINode. */
export const csiNodeStrategy: KindStrategy = {
  rules: { unconditionalUpdate: false, returnDeleted: true },
  gatedFields: { "status.storageHealth": "CSIVolumeHealth" },
  columns: columnsFor("csinodes.storage.k8s.io", {
    Drivers: column("Drivers on the node.", (one) => objectsOf(specOf(one)["drivers"]).length),
  }),
};
