import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import {
  attributes,
  modesText,
  phase,
  storageClass,
  volumeMode,
} from "../storage/storage-cells.js";
import { validateClaimSpec } from "../volumes/claim-spec.js";
import { classAnnotationWarnings } from "../volumes/class-annotation-warnings.js";
import { claimSpecWarnings } from "../volumes/volume-warnings.js";
import { validateClaimChange } from "./persistent-volume-claim/claim-changes.js";
import { withBothSources } from "./persistent-volume-claim/data-sources.js";

/** Strategy of the kind PersistentVolumeClaim. */
export const persistentVolumeClaimStrategy: KindStrategy = {
  rules: { returnDeleted: true },
  defaults: withBothSources,
  prepareCreate: (claim) => ({ ...claim, status: { phase: "Pending" } }),
  gatedFields: { "status.healthStatus": "CSIVolumeHealth" },
  validate: (claim, errors) => validateClaimSpec(specOf(claim), "spec", errors),
  validateUpdate: validateClaimChange,
  validateStatus: validateResizeStatuses,
  warnings: (claim) => [
    ...classAnnotationWarnings(claim),
    ...claimSpecWarnings(specOf(claim), "spec"),
  ],
  columns: columnsFor("persistentvolumeclaims", {
    Status: column("Phase of the claim.", phase),
    Volume: column("Volume of the claim.", (one) => specOf(one)["volumeName"] ?? ""),
    Capacity: column("Capacity of the volume.", (one) =>
      isBound(one) ? (mapOf(mapOf(one["status"])["capacity"])["storage"] ?? "0") : "",
    ),
    "Access Modes": column("Access modes of the volume.", (one) =>
      isBound(one) ? modesText(mapOf(one["status"])["accessModes"]) : "",
    ),
    StorageClass: storageClass,
    VolumeAttributesClass: attributes,
    VolumeMode: volumeMode,
  }),
  idle: { why: "does not bind or provision volumes" },
};

const resizeStatuses = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
  "NodeResizePending",
];

/** Checks the resize status of a claim. Errors show the resource, not its status. */
function validateResizeStatuses({ status }: ApiObject, _old: ApiObject, errors: FieldErrors): void {
  const path = "status.allocatedResourceStatuses";
  const { allocatedResourceStatuses } = mapOf(status);
  for (const [name, value] of Object.entries(mapOf(allocatedResourceStatuses))) {
    if (name !== "storage" && !name.includes("/")) {
      errors.push(cause.notSupported(path, name, ["storage"]));
    }
    if (!resizeStatuses.includes(String(value))) {
      errors.push(cause.notSupported(path, name, resizeStatuses));
    }
  }
}

function isBound(claim: JsonObject): boolean {
  return (specOf(claim)["volumeName"] ?? "") !== "";
}
