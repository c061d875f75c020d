import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { containersText, selectorText } from "../../response/table/cell-text.js";
import { column } from "../../response/table/make-column.js";
import type { ColumnCells } from "../../response/table/own-cells.js";

/** Desired pods of a workload. */
export const desired: ColumnCells = column("Desired pods.", (one) => specOf(one)["replicas"] ?? 0);

/** Current pods of a workload. */
export const current: ColumnCells = column("Current pods.", (one) => statusOf(one, "replicas"));

/** Ready pods of a workload. */
export const ready: ColumnCells = column("Ready pods.", (one) => statusOf(one, "readyReplicas"));

/** Ready and desired pods of a workload. */
export const readyOfAll: ColumnCells = column(
  "Ready pods, and desired pods.",
  (one) => `${String(statusOf(one, "readyReplicas"))}/${String(specOf(one)["replicas"] ?? 0)}`,
);

/** Containers and images of a workload's pods. */
export const containers: Readonly<Record<"Containers" | "Images", ColumnCells>> = containerColumns(
  (one) => specOf(one),
);

/** Selector of a workload's pods. */
export const selector: ColumnCells = column("Selector of the pods.", (one) =>
  selectorText(specOf(one)["selector"]),
);

/** Returns a count of a status; 0 if it is missing. */
export function statusOf({ status }: JsonObject, field: string): unknown {
  return mapOf(status)[field] ?? 0;
}

/** Returns the cells of containers and images, given where the pod template is. */
export function containerColumns(
  holder: (object: JsonObject) => JsonObject,
): Readonly<Record<"Containers" | "Images", ColumnCells>> {
  const podSpec = (object: JsonObject) => mapOf(holder(object)["template"])["spec"];
  return {
    Containers: column("Names of the containers.", (one) => containersText(podSpec(one), "name")),
    Images: column("Images of the containers.", (one) => containersText(podSpec(one), "image")),
  };
}
