import type { ApiObject } from "../../objects/api-object.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { timestamp } from "../../objects/timestamp.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { nodeSelectorWarnings } from "../fields/node-label-warnings.js";
import { persistentVolumeColumns } from "../storage/storage-columns.js";
import { classAnnotationWarnings } from "../volumes/class-annotation-warnings.js";
import { persistentSourceWarnings } from "../volumes/volume-warnings.js";
import { validateVolume } from "./persistent-volume/validate-volume.js";
import { validateVolumeChange } from "./persistent-volume/volume-changes.js";

/** Strategy of the kind PersistentVolume. */
export const persistentVolumeStrategy: KindStrategy = {
  rules: { returnDeleted: true },
  prepareCreate: (volume, { server }) => ({
    ...volume,
    status: { phase: "Pending", lastPhaseTransitionTime: timestamp(server.clock) },
  }),
  validate: validateVolume,
  immutable: [{ path: "spec.volumeMode", called: "volumeMode" }],
  validateUpdate: validateVolumeChange,
  warnings: persistentVolumeWarnings,
  columns: persistentVolumeColumns,
  idle: { why: "does not bind or provision volumes" },
};

function persistentVolumeWarnings(volume: ApiObject): string[] {
  const spec = specOf(volume);
  return [
    ...classAnnotationWarnings(volume),
    ...(spec["persistentVolumeReclaimPolicy"] === "Recycle"
      ? [
          "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
        ]
      : []),
    ...nodeSelectorWarnings(mapOf(spec["nodeAffinity"])["required"], "spec.nodeAffinity.required"),
    ...persistentSourceWarnings(spec, "spec"),
  ];
}
