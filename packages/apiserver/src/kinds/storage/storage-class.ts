import type { KindStrategy } from "../../resources/kind-strategy.js";
import { storageClassColumns } from "../table/storage-columns.js";
import { validateStorageClass } from "../validation/storage-drivers.js";
import { storageClassWarnings } from "../warnings/storage-warnings.js";

/** Strategy of the kind StorageClass. */
export const storageClassStrategy: KindStrategy = {
  rules: { returnDeleted: true },
  validate: (object, errors) => void errors.push(...validateStorageClass(object)),
  immutable: ["provisioner", "parameters", "reclaimPolicy", "volumeBindingMode"].map((path) => ({
    path,
    shows: "null",
  })),
  warnings: storageClassWarnings,
  columns: storageClassColumns,
};
