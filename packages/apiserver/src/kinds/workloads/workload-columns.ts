import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import type { TableColumn } from "../../resources/table-column.js";
import { ageText, sinceText } from "../../response/table/age.js";
import {
  containersText,
  labelsText,
  none,
  numberOf,
  orNone,
  selectorText,
} from "../../response/table/cell-text.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import type { ColumnCells } from "../../response/table/own-cells.js";
import { metricsText } from "./metrics-text.js";

const desired = column("Desired pods.", (one) => specOf(one)["replicas"] ?? 0);
const current = column("Current pods.", (one) => statusOf(one, "replicas"));
const ready = column("Ready pods.", (one) => statusOf(one, "readyReplicas"));
const readyOfAll = column(
  "Ready pods, and desired pods.",
  (one) => `${String(statusOf(one, "readyReplicas"))}/${String(specOf(one)["replicas"] ?? 0)}`,
);
const containers = containerColumns((one) => specOf(one));
const selector = column("Selector of the pods.", (one) => selectorText(specOf(one)["selector"]));
const labelSelector = column("Selector of the pods.", (one) => labelsText(specOf(one)["selector"]));

/** Columns of the kind ReplicationController. */
export const replicationControllerColumns: readonly TableColumn[] = columnsFor(
  "replicationcontrollers",
  {
    Desired: desired,
    Current: current,
    Ready: ready,
    ...containers,
    Selector: labelSelector,
  },
);

/** Columns of the kind ReplicaSet. */
export const replicaSetColumns: readonly TableColumn[] = columnsFor("replicasets.apps", {
  Desired: desired,
  Current: current,
  Ready: ready,
  ...containers,
  Selector: selector,
});

/** Columns of the kind Deployment. */
export const deploymentColumns: readonly TableColumn[] = columnsFor("deployments.apps", {
  Ready: readyOfAll,
  "Up-to-date": column("Pods of the newest template.", (one) => statusOf(one, "updatedReplicas")),
  Available: column("Pods that are available.", (one) => statusOf(one, "availableReplicas")),
  ...containers,
  Selector: selector,
});

/** Columns of the kind StatefulSet. */
export const statefulSetColumns: readonly TableColumn[] = columnsFor("statefulsets.apps", {
  Ready: readyOfAll,
  ...containers,
});

/** Columns of the kind DaemonSet. */
export const daemonSetColumns: readonly TableColumn[] = columnsFor("daemonsets.apps", {
  Desired: column("Nodes that should run a pod.", (one) => statusOf(one, "desiredNumberScheduled")),
  Current: column("Nodes that run a pod.", (one) => statusOf(one, "currentNumberScheduled")),
  Ready: column("Nodes whose pod is ready.", (one) => statusOf(one, "numberReady")),
  "Up-to-date": column("Nodes whose pod is of the newest template.", (one) =>
    statusOf(one, "updatedNumberScheduled"),
  ),
  Available: column("Nodes whose pod is available.", (one) => statusOf(one, "numberAvailable")),
  "Node Selector": column("Selector of the nodes.", (one) =>
    labelsText(mapOf(mapOf(specOf(one)["template"])["spec"])["nodeSelector"]),
  ),
  ...containers,
  Selector: selector,
});

/** Columns of the kind ControllerRevision. */
export const controllerRevisionColumns: readonly TableColumn[] = columnsFor(
  "controllerrevisions.apps",
  {
    Controller: column("Controller of the revision.", controllerOf),
    Revision: column("Number of the revision.", ({ revision }) => numberOf(revision)),
  },
);

/** Columns of the kind Job. */
export const jobColumns: readonly TableColumn[] = columnsFor("jobs.batch", {
  Status: column("Status of the Job.", jobStatus),
  Completions: column("Succeeded pods, and desired completions.", completions),
  Duration: column("Duration of the run.", duration),
  ...containers,
  Selector: selector,
});

/** Columns of the kind CronJob. */
export const cronJobColumns: readonly TableColumn[] = columnsFor("cronjobs.batch", {
  Schedule: column("Schedule of the Jobs.", (one) => specOf(one)["schedule"]),
  Timezone: column("Time zone of the schedule.", (one) => orNone(specOf(one)["timeZone"])),
  Suspend: column("True if the schedule is suspended.", (one) =>
    specOf(one)["suspend"] === true ? "True" : "False",
  ),
  Active: column("Active Jobs.", ({ status }) => objectsOf(mapOf(status)["active"]).length),
  "Last Schedule": column("Time since the last Job was created.", ({ status }, now) => {
    const { lastScheduleTime } = mapOf(status);
    return lastScheduleTime === undefined ? none : sinceText(lastScheduleTime, now);
  }),
  ...containerColumns((one) => mapOf(mapOf(specOf(one)["jobTemplate"])["spec"])),
  Selector: column("Selector of the Jobs' pods.", (one) =>
    selectorText(mapOf(mapOf(specOf(one)["jobTemplate"])["spec"])["selector"]),
  ),
});

/** Columns of the kind HorizontalPodAutoscaler. */
export const horizontalPodAutoscalerColumns: readonly TableColumn[] = columnsFor(
  "horizontalpodautoscalers.autoscaling",
  {
    Reference: column("Object that is scaled.", (one) => {
      const { kind, name } = mapOf(specOf(one)["scaleTargetRef"]);
      return `${String(kind)}/${String(name)}`;
    }),
    Targets: column("Current and target values of the metrics.", metricsText),
    MinPods: column("Minimum of pods.", (one) => String(specOf(one)["minReplicas"] ?? "<unset>")),
    MaxPods: column("Maximum of pods.", (one) => specOf(one)["maxReplicas"]),
    Replicas: column("Current pods.", (one) => statusOf(one, "currentReplicas")),
  },
);

/** Columns of the kind PodDisruptionBudget. */
export const podDisruptionBudgetColumns: readonly TableColumn[] = columnsFor(
  "poddisruptionbudgets.policy",
  {
    "Min Available": column("Pods that must remain available.", (one) =>
      String(specOf(one)["minAvailable"] ?? "N/A"),
    ),
    "Max Unavailable": column("Pods that may be unavailable.", (one) =>
      String(specOf(one)["maxUnavailable"] ?? "N/A"),
    ),
    "Allowed Disruptions": column("Pods that may be evicted now.", (one) =>
      statusOf(one, "disruptionsAllowed"),
    ),
  },
);

function statusOf({ status }: JsonObject, field: string): unknown {
  return mapOf(status)[field] ?? 0;
}

function containerColumns(
  holder: (object: JsonObject) => JsonObject,
): Readonly<Record<"Containers" | "Images", ColumnCells>> {
  const podSpec = (object: JsonObject) => mapOf(holder(object)["template"])["spec"];
  return {
    Containers: column("Names of the containers.", (one) => containersText(podSpec(one), "name")),
    Images: column("Images of the containers.", (one) => containersText(podSpec(one), "image")),
  };
}

function controllerOf({ metadata }: JsonObject): string {
  const owners = objectsOf(mapOf(metadata)["ownerReferences"]);
  const owner = owners.find(({ controller }) => controller === true);
  if (owner === undefined) {
    return none;
  }
  const [group = "", version] = String(owner["apiVersion"]).split("/");
  const kind = String(owner["kind"]).toLowerCase();
  return `${kind}${version === undefined ? "" : `.${group}`}/${String(owner["name"])}`;
}

/** Conditions by precedence: an earlier one hides the later ones. */
const jobEnds = ["Complete", "Failed", "Suspended", "FailureTarget", "SuccessCriteriaMet"];

function jobStatus({ metadata, status }: JsonObject): string {
  const conditions = objectsOf(mapOf(status)["conditions"]);
  const holds = (type: string) =>
    conditions.some((one) => one["type"] === type && one["status"] === "True");
  const [complete = "", failed = "", ...others] = jobEnds;
  const ended = [complete, failed].find(holds);
  if (ended !== undefined) {
    return ended;
  }
  return mapOf(metadata)["deletionTimestamp"] === undefined
    ? (others.find(holds) ?? "Running")
    : "Terminating";
}

function completions(job: JsonObject): string {
  const { completions: wanted, parallelism } = specOf(job);
  const succeeded = String(statusOf(job, "succeeded"));
  if (wanted !== undefined) {
    return `${succeeded}/${String(wanted)}`;
  }
  const many = typeof parallelism === "number" ? parallelism : 0;
  return many > 1 ? `${succeeded}/1 of ${many}` : `${succeeded}/1`;
}

function duration({ status }: JsonObject, now: number): string {
  const { startTime, completionTime } = mapOf(status);
  if (startTime === undefined) {
    return "";
  }
  const end = completionTime === undefined ? now : Date.parse(String(completionTime));
  return ageText(Math.floor((end - Date.parse(String(startTime))) / 1000));
}
