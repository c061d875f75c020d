import type { KindStrategy } from "../../resources/kind-strategy.js";
import { volumeAttributesClassColumns } from "./storage-columns.js";
import { validateAttributesClass } from "./validate-storage.js";

/** Strategy of the kind VolumeAttributesClass. */
export const volumeAttributesClassStrategy: KindStrategy = {
  rules: { returnDeleted: true },
  validate: validateAttributesClass,
  columns: volumeAttributesClassColumns,
};
