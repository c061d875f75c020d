import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { policy, workload } from "./scheduling-cells.js";

/** Strategy of the kind PodGroup. */
export const podGroupStrategy: KindStrategy = {
  columns: columnsFor("podgroups.scheduling.k8s.io", {
    Policy: policy,
    Workload: workload,
    Status: column("State of the group.", groupState),
  }),
};

function groupState({ status }: JsonObject): unknown {
  const conditions = objectsOf(mapOf(status)["conditions"]);
  const find = (type: string) => conditions.find((one) => one["type"] === type);
  const disrupted = find("DisruptionTarget");
  const scheduled = find("PodGroupInitiallyScheduled");
  if (disrupted !== undefined) {
    return disrupted["reason"];
  }
  if (scheduled === undefined) {
    return "Pending";
  }
  return scheduled["status"] === "True" ? "Scheduled" : "Unschedulable";
}
