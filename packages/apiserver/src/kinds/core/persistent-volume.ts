import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject } from "../../objects/json-value.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { timestamp } from "../../objects/timestamp.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { nodeSelectorWarnings } from "../fields/node-label-warnings.js";
import {
  attributes,
  modesText,
  phase,
  storageClass,
  volumeMode,
} from "../storage/storage-cells.js";
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
  columns: columnsFor("persistentvolumes", {
    Capacity: column(
      "Capacity of the volume.",
      (one) => mapOf(specOf(one)["capacity"])["storage"] ?? "0",
    ),
    "Access Modes": column("Access modes of the volume.", (one) =>
      modesText(specOf(one)["accessModes"]),
    ),
    "Reclaim Policy": column(
      "Policy for the volume after its release.",
      (one) => specOf(one)["persistentVolumeReclaimPolicy"],
    ),
    Status: column("Phase of the volume.", phase),
    Claim: column("Claim of the volume.", (one) => {
      const { claimRef } = specOf(one);
      const { namespace, name } = mapOf(claimRef);
      return isJsonObject(claimRef) ? `${String(namespace ?? "")}/${String(name ?? "")}` : "";
    }),
    StorageClass: storageClass,
    VolumeAttributesClass: attributes,
    Reason: column("Reason of the phase.", ({ status }) => mapOf(status)["reason"] ?? ""),
    VolumeMode: volumeMode,
  }),
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
