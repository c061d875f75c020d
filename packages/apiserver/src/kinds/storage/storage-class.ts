import type { ApiObject } from "../../objects/api-object.js";
import { objectsOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { oldLabelText } from "../fields/node-label-warnings.js";
import { validateStorageClass } from "./storage-class/validate-storage-class.js";

/** Strategy of the kind StorageClass. */
export const storageClassStrategy: KindStrategy = {
  rules: { returnDeleted: true },
  validate: validateStorageClass,
  immutable: ["provisioner", "parameters", "reclaimPolicy", "volumeBindingMode"].map((path) => ({
    path,
    shows: "null",
  })),
  warnings: storageClassWarnings,
  columns: columnsFor("storageclasses.storage.k8s.io", {
    Provisioner: column("Provisioner of the volumes.", ({ provisioner }) => provisioner),
    ReclaimPolicy: column(
      "Policy for volumes after their release.",
      ({ reclaimPolicy }) => reclaimPolicy,
    ),
    VolumeBindingMode: column(
      "Time of binding and provisioning.",
      ({ volumeBindingMode }) => volumeBindingMode,
    ),
    AllowVolumeExpansion: column(
      "True if volumes can be expanded.",
      ({ allowVolumeExpansion }) => allowVolumeExpansion === true,
    ),
  }),
};

function storageClassWarnings({ allowedTopologies }: ApiObject): string[] {
  return objectsOf(allowedTopologies).flatMap((topology, at) =>
    objectsOf(topology["matchLabelExpressions"]).flatMap(({ key }, keyAt) => {
      const text = oldLabelText(key);
      const path = `allowedTopologies[${at}].matchLabelExpressions[${keyAt}].key`;
      return text === undefined ? [] : [`${path}: ${text}`];
    }),
  );
}
