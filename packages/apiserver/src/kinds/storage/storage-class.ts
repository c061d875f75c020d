import type { KindStrategy } from "../../resources/kind-strategy.js";
import { storageClassColumns } from "./storage-columns.js";
import { storageClassWarnings } from "./storage-warnings.js";
import { validateStorageClass } from "./validate-storage.js";

/** Strategy of the kind StorageClass. */
export const storageClassStrategy: KindStrategy = {
  rules: { returnDeleted: true },
  validate: validateStorageClass,
  immutable: ["provisioner", "parameters", "reclaimPolicy", "volumeBindingMode"].map((path) => ({
    path,
    shows: "null",
  })),
  warnings: storageClassWarnings,
  columns: storageClassColumns,
};
