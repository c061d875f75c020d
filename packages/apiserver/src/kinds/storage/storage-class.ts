import type { ApiObject } from "../../objects/api-object.js";
import { objectsOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { oldLabelText } from "../fields/node-label-warnings.js";
import { validateStorageClass } from "./storage-class/validate-storage-class.js";
import { storageClassColumns } from "./storage-columns.js";

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

function storageClassWarnings({ allowedTopologies }: ApiObject): string[] {
  return objectsOf(allowedTopologies).flatMap((topology, at) =>
    objectsOf(topology["matchLabelExpressions"]).flatMap(({ key }, keyAt) => {
      const text = oldLabelText(key);
      const path = `allowedTopologies[${at}].matchLabelExpressions[${keyAt}].key`;
      return text === undefined ? [] : [`${path}: ${text}`];
    }),
  );
}
