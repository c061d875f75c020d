import type { KindStrategy } from "../../resources/kind-strategy.js";
import { persistentVolumeColumns } from "../storage/storage-columns.js";
import { persistentVolumeWarnings } from "../storage/storage-warnings.js";
import { validateVolumeChange } from "./immutable-fields.js";
import { asPendingVolume } from "./storage-hooks.js";
import { validateVolume } from "./validate-volume.js";

/** Strategy of the kind PersistentVolume. */
export const persistentVolumeStrategy: KindStrategy = {
  rules: { returnDeleted: true },
  prepareCreate: asPendingVolume,
  validate: validateVolume,
  immutable: [{ path: "spec.volumeMode", called: "volumeMode" }],
  validateUpdate: validateVolumeChange,
  warnings: persistentVolumeWarnings,
  columns: persistentVolumeColumns,
  idle: { why: "does not bind or provision volumes" },
};
