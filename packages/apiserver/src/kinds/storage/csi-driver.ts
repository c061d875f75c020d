import type { KindStrategy } from "../../resources/kind-strategy.js";
import { csiDriverColumns } from "./storage-columns.js";
import { validateDriver } from "./validate-storage.js";

/** Strategy of the kind CSIDriver. */
export const csiDriverStrategy: KindStrategy = {
  rules: { unconditionalUpdate: false, returnDeleted: true },
  validate: validateDriver,
  immutable: [
    { path: "spec.attachRequired", called: "spec.attachedRequired" },
    { path: "spec.fsGroupPolicy" },
    { path: "spec.volumeLifecycleModes" },
  ],
  columns: csiDriverColumns,
};
