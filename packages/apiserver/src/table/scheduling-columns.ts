import { mapOf, objectsOf, specOf } from "../kinds/parts.js";
import { isJsonObject, type JsonObject } from "../store/json-value.js";
import { none } from "./cell-text.js";
import { column } from "./make-column.js";
import type { OwnCells } from "./own-cells.js";

const policy = column("Scheduling policy of the group.", (one) =>
  isJsonObject(mapOf(specOf(one)["schedulingPolicy"])["gang"]) ? "Gang" : "Basic",
);
const workload = column("Workload of the group.", (one) => {
  const { workloadRef } = specOf(one);
  return isJsonObject(workloadRef) ? (workloadRef["workloadName"] ?? "") : none;
});

/** Cells of pod groups and lease candidates. */
export const schedulingColumns: Pick<
  OwnCells,
  | "compositepodgroups.scheduling.k8s.io"
  | "leasecandidates.coordination.k8s.io"
  | "podgroups.scheduling.k8s.io"
> = {
  "podgroups.scheduling.k8s.io": {
    Policy: policy,
    Workload: workload,
    Status: column("State of the group.", groupState),
  },
  "compositepodgroups.scheduling.k8s.io": { Policy: policy, Workload: workload },
  "leasecandidates.coordination.k8s.io": {
    LeaseName: column("Lease of the candidate.", (one) => specOf(one)["leaseName"] ?? ""),
    BinaryVersion: column("Version of the program.", (one) => specOf(one)["binaryVersion"] ?? ""),
    EmulationVersion: column(
      "Version that the program emulates.",
      (one) => specOf(one)["emulationVersion"] ?? "",
    ),
  },
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
