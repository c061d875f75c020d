import { mapOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

/** Strategy of the kind VolumeAttachment. */
export const volumeAttachmentStrategy: KindStrategy = {
  rules: { returnDeleted: true, statusMetadata: "none" },
  columns: columnsFor("volumeattachments.storage.k8s.io", {
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
  }),
  idle: { why: "does not attach volumes" },
};
