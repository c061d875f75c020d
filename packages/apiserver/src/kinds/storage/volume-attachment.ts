import type { KindStrategy } from "../../resources/kind-strategy.js";
import { volumeAttachmentColumns } from "./storage-columns.js";

/** Strategy of the kind VolumeAttachment. */
export const volumeAttachmentStrategy: KindStrategy = {
  rules: { returnDeleted: true, statusMetadata: "none" },
  columns: volumeAttachmentColumns,
  idle: { why: "does not attach volumes" },
};
