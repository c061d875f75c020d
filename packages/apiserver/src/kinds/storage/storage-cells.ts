import { type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { column } from "../../response/table/make-column.js";
import type { ColumnCells } from "../../response/table/own-cells.js";

const oldClass = "volume.beta.kubernetes.io/storage-class";

/** Text for a value that is not set. */
export const unset = "<unset>";

/** Volume mode of a claim or volume. */
export const volumeMode: ColumnCells = column(
  "File system or block device.",
  (one) => specOf(one)["volumeMode"] ?? unset,
);

/** VolumeAttributesClass of a claim or volume. */
export const attributes: ColumnCells = column(
  "Class of the volume's attributes.",
  (one) => specOf(one)["volumeAttributesClassName"] || unset,
);

/** StorageClass of a claim or volume; its annotation precedes the field. */
export const storageClass: ColumnCells = column("Class of the storage.", (one) => {
  const { annotations } = mapOf(one["metadata"]);
  return mapOf(annotations)[oldClass] ?? specOf(one)["storageClassName"] ?? "";
});

/** Returns the phase of a claim or volume; `Terminating` while it is being deleted. */
export function phase({ metadata, status }: JsonObject): unknown {
  return mapOf(metadata)["deletionTimestamp"] === undefined
    ? (mapOf(status)["phase"] ?? "")
    : "Terminating";
}

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};

/** Formats access modes in their short form. */
export function modesText(modes: unknown): string {
  const given = stringsOf(modes);
  return Object.keys(shortModes)
    .filter((mode) => given.includes(mode))
    .map((mode) => shortModes[mode])
    .join(",");
}
