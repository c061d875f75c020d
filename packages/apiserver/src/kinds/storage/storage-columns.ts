import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import type { TableColumn } from "../../resources/table-column.js";
import {
  ageColumn,
  boolean,
  integer,
  nameColumn,
  text,
  wide,
} from "../../response/table/make-column.js";

const oldClass = "volume.beta.kubernetes.io/storage-class";
const unset = "<unset>";

const volumeMode = wide(
  text("VolumeMode", "File system or block device.", (one) => specOf(one)["volumeMode"] ?? unset),
);
const attributes = text(
  "VolumeAttributesClass",
  "Class of the volume's attributes.",
  (one) => specOf(one)["volumeAttributesClassName"] || unset,
);
const storageClass = text("StorageClass", "Class of the storage.", (one) => {
  const { annotations } = mapOf(one["metadata"]);
  return mapOf(annotations)[oldClass] ?? specOf(one)["storageClassName"] ?? "";
});

/** Columns of the kind PersistentVolumeClaim. */
export const persistentVolumeClaimColumns: readonly TableColumn[] = [
  nameColumn,
  text("Status", "Phase of the claim.", phase),
  text("Volume", "Volume of the claim.", (one) => specOf(one)["volumeName"] ?? ""),
  text("Capacity", "Capacity of the volume.", (one) =>
    isBound(one) ? (mapOf(mapOf(one["status"])["capacity"])["storage"] ?? "0") : "",
  ),
  text("Access Modes", "Access modes of the volume.", (one) =>
    isBound(one) ? modesText(mapOf(one["status"])["accessModes"]) : "",
  ),
  storageClass,
  attributes,
  ageColumn,
  volumeMode,
];

/** Columns of the kind PersistentVolume. */
export const persistentVolumeColumns: readonly TableColumn[] = [
  nameColumn,
  text(
    "Capacity",
    "Capacity of the volume.",
    (one) => mapOf(specOf(one)["capacity"])["storage"] ?? "0",
  ),
  text("Access Modes", "Access modes of the volume.", (one) =>
    modesText(specOf(one)["accessModes"]),
  ),
  text(
    "Reclaim Policy",
    "Policy for the volume after its release.",
    (one) => specOf(one)["persistentVolumeReclaimPolicy"],
  ),
  text("Status", "Phase of the volume.", phase),
  text("Claim", "Claim of the volume.", (one) => {
    const { claimRef } = specOf(one);
    const { namespace, name } = mapOf(claimRef);
    return isJsonObject(claimRef) ? `${String(namespace ?? "")}/${String(name ?? "")}` : "";
  }),
  storageClass,
  attributes,
  text("Reason", "Reason of the phase.", ({ status }) => mapOf(status)["reason"] ?? ""),
  ageColumn,
  volumeMode,
];

/** Columns of the kind StorageClass. */
export const storageClassColumns: readonly TableColumn[] = [
  nameColumn,
  text("Provisioner", "Provisioner of the volumes.", ({ provisioner }) => provisioner),
  text(
    "ReclaimPolicy",
    "Policy for volumes after their release.",
    ({ reclaimPolicy }) => reclaimPolicy,
  ),
  text(
    "VolumeBindingMode",
    "Time of binding and provisioning.",
    ({ volumeBindingMode }) => volumeBindingMode,
  ),
  text(
    "AllowVolumeExpansion",
    "True if volumes can be expanded.",
    ({ allowVolumeExpansion }) => allowVolumeExpansion === true,
  ),
  ageColumn,
];

/** Columns of the kind CSIDriver. */
export const csiDriverColumns: readonly TableColumn[] = [
  nameColumn,
  boolean(
    "AttachRequired",
    "True if volumes must be attached.",
    (one) => specOf(one)["attachRequired"] ?? true,
  ),
  boolean(
    "PodInfoOnMount",
    "True if the driver gets pod information on mount.",
    (one) => specOf(one)["podInfoOnMount"] ?? false,
  ),
  boolean(
    "StorageCapacity",
    "True if the driver publishes its capacity.",
    (one) => specOf(one)["storageCapacity"] ?? false,
  ),
  text(
    "TokenRequests",
    "Audiences of the driver's tokens.",
    (one) =>
      objectsOf(specOf(one)["tokenRequests"])
        .map(({ audience }) => String(audience))
        .join(",") || unset,
  ),
  boolean(
    "RequiresRepublish",
    "True if volumes are published periodically.",
    (one) => specOf(one)["requiresRepublish"] ?? false,
  ),
  text(
    "Modes",
    "Kinds of volumes.",
    (one) => stringsOf(specOf(one)["volumeLifecycleModes"]).join(",") || unset,
  ),
  ageColumn,
];

/** Columns of the kind CSINode. */
export const csiNodeColumns: readonly TableColumn[] = [
  nameColumn,
  integer("Drivers", "Drivers on the node.", (one) => objectsOf(specOf(one)["drivers"]).length),
  ageColumn,
];

/** Columns of the kind VolumeAttachment. */
export const volumeAttachmentColumns: readonly TableColumn[] = [
  nameColumn,
  {
    ...text("Attacher", "Driver that attaches the volume.", (one) => specOf(one)["attacher"]),
    format: "name",
  },
  text(
    "PV",
    "Volume that is attached.",
    (one) => mapOf(specOf(one)["source"])["persistentVolumeName"] ?? "",
  ),
  text("Node", "Node of the attachment.", (one) => specOf(one)["nodeName"]),
  boolean(
    "Attached",
    "True if the volume is attached.",
    ({ status }) => mapOf(status)["attached"] ?? false,
  ),
  ageColumn,
];

/** Columns of the kind VolumeAttributesClass. */
export const volumeAttributesClassColumns: readonly TableColumn[] = [
  nameColumn,
  text("DriverName", "Driver of the attributes.", ({ driverName }) => driverName),
  ageColumn,
];

function phase({ metadata, status }: JsonObject): unknown {
  return mapOf(metadata)["deletionTimestamp"] === undefined
    ? (mapOf(status)["phase"] ?? "")
    : "Terminating";
}

function isBound(claim: JsonObject): boolean {
  return (specOf(claim)["volumeName"] ?? "") !== "";
}

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};

function modesText(modes: unknown): string {
  const given = stringsOf(modes);
  return Object.keys(shortModes)
    .filter((mode) => given.includes(mode))
    .map((mode) => shortModes[mode])
    .join(",");
}
