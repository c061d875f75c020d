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
import {
  ageColumn,
  boolean,
  integer,
  nameColumn,
  text,
  wide,
} from "../../response/table/make-column.js";
import { metricsText } from "./metrics-text.js";

const desired = integer("Desired", "Desired pods.", (one) => specOf(one)["replicas"] ?? 0);
const current = integer("Current", "Current pods.", (one) => statusOf(one, "replicas"));
const ready = integer("Ready", "Ready pods.", (one) => statusOf(one, "readyReplicas"));
const readyOfAll = text(
  "Ready",
  "Ready pods, and desired pods.",
  (one) => `${String(statusOf(one, "readyReplicas"))}/${String(specOf(one)["replicas"] ?? 0)}`,
);
const containers = containerColumns((one) => specOf(one));
const selector = wide(
  text("Selector", "Selector of the pods.", (one) => selectorText(specOf(one)["selector"])),
);
const labelSelector = wide(
  text("Selector", "Selector of the pods.", (one) => labelsText(specOf(one)["selector"])),
);

/** Columns of the kind ReplicationController. */
export const replicationControllerColumns: readonly TableColumn[] = [
  nameColumn,
  desired,
  current,
  ready,
  ageColumn,
  ...containers,
  labelSelector,
];

/** Columns of the kind ReplicaSet. */
export const replicaSetColumns: readonly TableColumn[] = [
  nameColumn,
  desired,
  current,
  ready,
  ageColumn,
  ...containers,
  selector,
];

/** Columns of the kind Deployment. */
export const deploymentColumns: readonly TableColumn[] = [
  nameColumn,
  readyOfAll,
  text("Up-to-date", "Pods of the newest template.", (one) => statusOf(one, "updatedReplicas")),
  text("Available", "Pods that are available.", (one) => statusOf(one, "availableReplicas")),
  ageColumn,
  ...containers,
  selector,
];

/** Columns of the kind StatefulSet. */
export const statefulSetColumns: readonly TableColumn[] = [
  nameColumn,
  readyOfAll,
  ageColumn,
  ...containers,
];

/** Columns of the kind DaemonSet. */
export const daemonSetColumns: readonly TableColumn[] = [
  nameColumn,
  integer("Desired", "Nodes that should run a pod.", (one) =>
    statusOf(one, "desiredNumberScheduled"),
  ),
  integer("Current", "Nodes that run a pod.", (one) => statusOf(one, "currentNumberScheduled")),
  integer("Ready", "Nodes whose pod is ready.", (one) => statusOf(one, "numberReady")),
  integer("Up-to-date", "Nodes whose pod is of the newest template.", (one) =>
    statusOf(one, "updatedNumberScheduled"),
  ),
  integer("Available", "Nodes whose pod is available.", (one) => statusOf(one, "numberAvailable")),
  text("Node Selector", "Selector of the nodes.", (one) =>
    labelsText(mapOf(mapOf(specOf(one)["template"])["spec"])["nodeSelector"]),
  ),
  ageColumn,
  ...containers,
  selector,
];

/** Columns of the kind ControllerRevision. */
export const controllerRevisionColumns: readonly TableColumn[] = [
  nameColumn,
  text("Controller", "Controller of the revision.", controllerOf),
  text("Revision", "Number of the revision.", ({ revision }) => numberOf(revision)),
  ageColumn,
];

/** Columns of the kind Job. */
export const jobColumns: readonly TableColumn[] = [
  nameColumn,
  text("Status", "Status of the Job.", jobStatus),
  text("Completions", "Succeeded pods, and desired completions.", completions),
  text("Duration", "Duration of the run.", duration),
  ageColumn,
  ...containers,
  selector,
];

/** Columns of the kind CronJob. */
export const cronJobColumns: readonly TableColumn[] = [
  nameColumn,
  text("Schedule", "Schedule of the Jobs.", (one) => specOf(one)["schedule"]),
  text("Timezone", "Time zone of the schedule.", (one) => orNone(specOf(one)["timeZone"])),
  boolean("Suspend", "True if the schedule is suspended.", (one) =>
    specOf(one)["suspend"] === true ? "True" : "False",
  ),
  integer("Active", "Active Jobs.", ({ status }) => objectsOf(mapOf(status)["active"]).length),
  text("Last Schedule", "Time since the last Job was created.", ({ status }, now) => {
    const { lastScheduleTime } = mapOf(status);
    return lastScheduleTime === undefined ? none : sinceText(lastScheduleTime, now);
  }),
  ageColumn,
  ...containerColumns((one) => mapOf(mapOf(specOf(one)["jobTemplate"])["spec"])),
  wide(
    text("Selector", "Selector of the Jobs' pods.", (one) =>
      selectorText(mapOf(mapOf(specOf(one)["jobTemplate"])["spec"])["selector"]),
    ),
  ),
];

/** Columns of the kind HorizontalPodAutoscaler. */
export const horizontalPodAutoscalerColumns: readonly TableColumn[] = [
  nameColumn,
  text("Reference", "Object that is scaled.", (one) => {
    const { kind, name } = mapOf(specOf(one)["scaleTargetRef"]);
    return `${String(kind)}/${String(name)}`;
  }),
  text("Targets", "Current and target values of the metrics.", metricsText),
  text("MinPods", "Minimum of pods.", (one) => String(specOf(one)["minReplicas"] ?? "<unset>")),
  text("MaxPods", "Maximum of pods.", (one) => specOf(one)["maxReplicas"]),
  text("Replicas", "Current pods.", (one) => statusOf(one, "currentReplicas")),
  ageColumn,
];

/** Columns of the kind PodDisruptionBudget. */
export const podDisruptionBudgetColumns: readonly TableColumn[] = [
  nameColumn,
  text("Min Available", "Pods that must remain available.", (one) =>
    String(specOf(one)["minAvailable"] ?? "N/A"),
  ),
  text("Max Unavailable", "Pods that may be unavailable.", (one) =>
    String(specOf(one)["maxUnavailable"] ?? "N/A"),
  ),
  integer("Allowed Disruptions", "Pods that may be evicted now.", (one) =>
    statusOf(one, "disruptionsAllowed"),
  ),
  ageColumn,
];

function statusOf({ status }: JsonObject, field: string): unknown {
  return mapOf(status)[field] ?? 0;
}

function containerColumns(holder: (object: JsonObject) => JsonObject): TableColumn[] {
  const podSpec = (object: JsonObject) => mapOf(holder(object)["template"])["spec"];
  return [
    wide(
      text("Containers", "Names of the containers.", (one) => containersText(podSpec(one), "name")),
    ),
    wide(
      text("Images", "Images of the containers.", (one) => containersText(podSpec(one), "image")),
    ),
  ];
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
