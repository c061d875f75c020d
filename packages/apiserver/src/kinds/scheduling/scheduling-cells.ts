import { isJsonObject } from "../../objects/json-value.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { none } from "../../response/table/cell-text.js";
import { column } from "../../response/table/make-column.js";
import type { ColumnCells } from "../../response/table/own-cells.js";

/** Scheduling policy of a group of pods. */
export const policy: ColumnCells = column("Scheduling policy of the group.", (one) =>
  isJsonObject(mapOf(specOf(one)["schedulingPolicy"])["gang"]) ? "Gang" : "Basic",
);

/** Workload of a group of pods. */
export const workload: ColumnCells = column("Workload of the group.", (one) => {
  const { workloadRef } = specOf(one);
  return isJsonObject(workloadRef) ? (workloadRef["workloadName"] ?? "") : none;
});
