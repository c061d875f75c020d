import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import type { TableColumn } from "../../resources/table-column.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

const oldClass = "volume.beta.kubernetes.io/storage-class";
const unset = "<unset>";

const volumeMode = column(
  "File system or block device.",
  (one) => specOf(one)["volumeMode"] ?? unset,
);
const attributes = column(
  "Class of the volume's attributes.",
  (one) => specOf(one)["volumeAttributesClassName"] || unset,
);
const storageClass = column("Class of the storage.", (one) => {
  const { annotations } = mapOf(one["metadata"]);
  return mapOf(annotations)[oldClass] ?? specOf(one)["storageClassName"] ?? "";
});

/** Columns of the kind PersistentVolumeClaim. */
export const persistentVolumeClaimColumns: readonly TableColumn[] = columnsFor(
  "persistentvolumeclaims",
  {
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
  },
);

/** Columns of the kind PersistentVolume. */
export const persistentVolumeColumns: readonly TableColumn[] = columnsFor("persistentvolumes", {
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
});

/** Columns of the kind StorageClass. */
export const storageClassColumns: readonly TableColumn[] = columnsFor(
  "storageclasses.storage.k8s.io",
  {
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
  },
);

/** Columns of the kind CSIDriver. */
export const csiDriverColumns: readonly TableColumn[] = columnsFor("csidrivers.storage.k8s.io", {
  AttachRequired: column(
    "True if volumes must be attached.",
    (one) => specOf(one)["attachRequired"] ?? true,
  ),
  PodInfoOnMount: column(
    "True if the driver gets pod information on mount.",
    (one) => specOf(one)["podInfoOnMount"] ?? false,
  ),
  StorageCapacity: column(
    "True if the driver publishes its capacity.",
    (one) => specOf(one)["storageCapacity"] ?? false,
  ),
  TokenRequests: column(
    "Audiences of the driver's tokens.",
    (one) =>
      objectsOf(specOf(one)["tokenRequests"])
        .map(({ audience }) => String(audience))
        .join(",") || unset,
  ),
  RequiresRepublish: column(
    "True if volumes are published periodically.",
    (one) => specOf(one)["requiresRepublish"] ?? false,
  ),
  Modes: column(
    "Kinds of volumes.",
    (one) => stringsOf(specOf(one)["volumeLifecycleModes"]).join(",") || unset,
  ),
});

/** Columns of the kind CSINode. */
export const csiNodeColumns: readonly TableColumn[] = columnsFor("csinodes.storage.k8s.io", {
  Drivers: column("Drivers on the node.", (one) => objectsOf(specOf(one)["drivers"]).length),
});

/** Columns of the kind VolumeAttachment. */
export const volumeAttachmentColumns: readonly TableColumn[] = columnsFor(
  "volumeattachments.storage.k8s.io",
  {
    Attacher: column("Driver that attaches the volume.", (one) => specOf(one)["attacher"]),
    PV: column(
      "Volume that is attached.",
      (one) => mapOf(specOf(one)["source"])["persistentVolumeName"] ?? "",
    ),
    Node: column("Node of the attachment.", (one) => specOf(one)["nodeName"]),
    Attached: column(
      "True if the volume is attached.",
      ({ status }) => mapOf(status)["attached"] ?? false,
    ),
  },
);

/** Columns of the kind VolumeAttributesClass. */
export const volumeAttributesClassColumns: readonly TableColumn[] = columnsFor(
  "volumeattributesclasses.storage.k8s.io",
  {
    DriverName: column("Driver of the attributes.", ({ driverName }) => driverName),
  },
);

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
