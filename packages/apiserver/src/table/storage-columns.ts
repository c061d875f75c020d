import { mapOf, objectsOf, specOf } from "../kinds/parts.js";
import { isJsonObject, type JsonObject, stringsOf } from "../store/json-value.js";
import { ageColumn, boolean, integer, nameColumn, text, wide } from "./make-column.js";
import type { TableColumn } from "./table-column.js";

const oldClass = "volume.beta.kubernetes.io/storage-class";
const unset = "<unset>";

const volumeMode = wide(
  text("VolumeMode", "A file system, or a device.", (one) => specOf(one)["volumeMode"] ?? unset),
);
const attributes = text(
  "VolumeAttributesClass",
  "Class of changeable attributes.",
  (one) => specOf(one)["volumeAttributesClassName"] || unset,
);
const storageClass = text("StorageClass", "Class of the storage.", (one) => {
  const { annotations } = mapOf(one["metadata"]);
  return mapOf(annotations)[oldClass] ?? specOf(one)["storageClassName"] ?? "";
});

/** Columns of volumes, claims and other storage kinds. */
export const storageColumns: Readonly<Record<string, readonly TableColumn[]>> = {
  persistentvolumeclaims: [
    nameColumn,
    text("Status", "Whether there is a volume for it.", phase),
    text("Volume", "The volume.", (one) => specOf(one)["volumeName"] ?? ""),
    text("Capacity", "How much it holds.", (one) =>
      isBound(one) ? (mapOf(mapOf(one["status"])["capacity"])["storage"] ?? "0") : "",
    ),
    text("Access Modes", "How it may be mounted.", (one) =>
      isBound(one) ? modesText(mapOf(one["status"])["accessModes"]) : "",
    ),
    storageClass,
    attributes,
    ageColumn,
    volumeMode,
  ],
  persistentvolumes: [
    nameColumn,
    text(
      "Capacity",
      "How much it holds.",
      (one) => mapOf(specOf(one)["capacity"])["storage"] ?? "0",
    ),
    text("Access Modes", "How it may be mounted.", (one) => modesText(specOf(one)["accessModes"])),
    text(
      "Reclaim Policy",
      "What becomes of it afterwards.",
      (one) => specOf(one)["persistentVolumeReclaimPolicy"],
    ),
    text("Status", "Whether a claim has it.", phase),
    text("Claim", "The claim.", (one) => {
      const { claimRef } = specOf(one);
      const { namespace, name } = mapOf(claimRef);
      return isJsonObject(claimRef) ? `${String(namespace ?? "")}/${String(name ?? "")}` : "";
    }),
    storageClass,
    attributes,
    text("Reason", "Why it is as it is.", ({ status }) => mapOf(status)["reason"] ?? ""),
    ageColumn,
    volumeMode,
  ],
  "storageclasses.storage.k8s.io": [
    nameColumn,
    text("Provisioner", "Who makes the volumes.", ({ provisioner }) => provisioner),
    text("ReclaimPolicy", "What becomes of them afterwards.", ({ reclaimPolicy }) => reclaimPolicy),
    text("VolumeBindingMode", "When they are made.", ({ volumeBindingMode }) => volumeBindingMode),
    text(
      "AllowVolumeExpansion",
      "Whether they may grow.",
      ({ allowVolumeExpansion }) => allowVolumeExpansion === true,
    ),
    ageColumn,
  ],
  "csidrivers.storage.k8s.io": [
    nameColumn,
    boolean(
      "AttachRequired",
      "Whether volumes are attached first.",
      (one) => specOf(one)["attachRequired"] ?? true,
    ),
    boolean(
      "PodInfoOnMount",
      "Whether the driver is told about pods.",
      (one) => specOf(one)["podInfoOnMount"] ?? false,
    ),
    boolean(
      "StorageCapacity",
      "Whether it publishes its capacity.",
      (one) => specOf(one)["storageCapacity"] ?? false,
    ),
    text(
      "TokenRequests",
      "Audiences of the tokens that it gets.",
      (one) =>
        objectsOf(specOf(one)["tokenRequests"])
          .map(({ audience }) => String(audience))
          .join(",") || unset,
    ),
    boolean(
      "RequiresRepublish",
      "Whether it is called again and again.",
      (one) => specOf(one)["requiresRepublish"] ?? false,
    ),
    text(
      "Modes",
      "Kinds of volumes.",
      (one) => stringsOf(specOf(one)["volumeLifecycleModes"]).join(",") || unset,
    ),
    ageColumn,
  ],
  "csinodes.storage.k8s.io": [
    nameColumn,
    integer("Drivers", "Drivers on the node.", (one) => objectsOf(specOf(one)["drivers"]).length),
    ageColumn,
  ],
  "volumeattachments.storage.k8s.io": [
    nameColumn,
    { ...text("Attacher", "Who attaches.", (one) => specOf(one)["attacher"]), format: "name" },
    text("PV", "The volume.", (one) => mapOf(specOf(one)["source"])["persistentVolumeName"] ?? ""),
    text("Node", "The node.", (one) => specOf(one)["nodeName"]),
    boolean(
      "Attached",
      "Whether it is attached.",
      ({ status }) => mapOf(status)["attached"] ?? false,
    ),
    ageColumn,
  ],
  "volumeattributesclasses.storage.k8s.io": [
    nameColumn,
    text("DriverName", "Whose attributes they are.", ({ driverName }) => driverName),
    ageColumn,
  ],
};

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
