import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import type { TableColumn } from "../../resources/table-column.js";
import { none } from "../../response/table/cell-text.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

const policy = column("Scheduling policy of the group.", (one) =>
  isJsonObject(mapOf(specOf(one)["schedulingPolicy"])["gang"]) ? "Gang" : "Basic",
);
const workload = column("Workload of the group.", (one) => {
  const { workloadRef } = specOf(one);
  return isJsonObject(workloadRef) ? (workloadRef["workloadName"] ?? "") : none;
});

/** Columns of the kind PodGroup. */
export const podGroupColumns: readonly TableColumn[] = columnsFor("podgroups.scheduling.k8s.io", {
  Policy: policy,
  Workload: workload,
  Status: column("State of the group.", groupState),
});

/** Columns of the kind CompositePodGroup. */
export const compositePodGroupColumns: readonly TableColumn[] = columnsFor(
  "compositepodgroups.scheduling.k8s.io",
  { Policy: policy, Workload: workload },
);

/** Columns of the kind LeaseCandidate. */
export const leaseCandidateColumns: readonly TableColumn[] = columnsFor(
  "leasecandidates.coordination.k8s.io",
  {
    LeaseName: column("Lease of the candidate.", (one) => specOf(one)["leaseName"] ?? ""),
    BinaryVersion: column("Version of the program.", (one) => specOf(one)["binaryVersion"] ?? ""),
    EmulationVersion: column(
      "Version that the program emulates.",
      (one) => specOf(one)["emulationVersion"] ?? "",
    ),
  },
);

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
