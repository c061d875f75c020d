import type { KindStrategy } from "../../resources/kind-strategy.js";
import { volumeAttributesClassColumns } from "../table/storage-columns.js";
import { validateAttributesClass } from "../validation/storage-drivers.js";

/** Strategy of the kind VolumeAttributesClass. */
export const volumeAttributesClassStrategy: KindStrategy = {
  rules: { returnDeleted: true },
  validate: (object, errors) => void errors.push(...validateAttributesClass(object)),
  columns: volumeAttributesClassColumns,
};
