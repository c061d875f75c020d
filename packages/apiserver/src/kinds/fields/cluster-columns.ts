import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import type { TableColumn } from "../../resources/table-column.js";
import { sinceText } from "../../response/table/age.js";
import { orNone } from "../../response/table/cell-text.js";
import {
  ageColumn,
  boolean,
  createdColumn,
  integer,
  nameColumn,
  text,
} from "../../response/table/make-column.js";

/** Columns of the kind Namespace. */
export const namespaceColumns: readonly TableColumn[] = [
  nameColumn,
  text("Status", "Phase of the namespace.", ({ status }) => mapOf(status)["phase"] ?? ""),
  ageColumn,
];

/** Columns of the kind ConfigMap. */
export const configMapColumns: readonly TableColumn[] = [
  nameColumn,
  text("Data", "Number of keys.", (one) => size(one["data"]) + size(one["binaryData"])),
  ageColumn,
];

/** Columns of the kind Secret. */
export const secretColumns: readonly TableColumn[] = [
  nameColumn,
  text("Type", "Type of the Secret.", ({ type }) => type),
  text("Data", "Number of keys.", ({ data }) => size(data)),
  ageColumn,
];

/** Columns of the kind LimitRange. */
export const limitRangeColumns: readonly TableColumn[] = [nameColumn, createdColumn];

/** Columns of the kind CSIStorageCapacity. */
export const csiStorageCapacityColumns: readonly TableColumn[] = [nameColumn, createdColumn];

/** Columns of the kind ResourceQuota. */
export const resourceQuotaColumns: readonly TableColumn[] = [
  nameColumn,
  text("Request", "Used requests, and their limits.", (one) => quotaText(one, false)),
  text("Limit", "Used limits, and their limits.", (one) => quotaText(one, true)),
  ageColumn,
];

/** Columns of the kind ComponentStatus. */
export const componentStatusColumns: readonly TableColumn[] = [
  nameColumn,
  text("Status", "Health of the component.", () => "Unknown"),
  text("Message", "Message of the component.", () => ""),
  text("Error", "Error of the component.", () => ""),
];

/** Columns of the kind Lease. */
export const leaseColumns: readonly TableColumn[] = [
  nameColumn,
  text("Holder", "Holder of the lease.", (one) => specOf(one)["holderIdentity"] ?? ""),
  ageColumn,
];

/** Columns of the kind PriorityClass. */
export const priorityClassColumns: readonly TableColumn[] = [
  nameColumn,
  integer("Value", "Priority of the class.", ({ value }) => value ?? 0),
  boolean(
    "Global-Default",
    "True for the class of pods without one.",
    ({ globalDefault }) => globalDefault === true,
  ),
  ageColumn,
  text(
    "PreemptionPolicy",
    "Policy for preempting other pods.",
    ({ preemptionPolicy }) => preemptionPolicy,
  ),
];

/** Columns of the kind RuntimeClass. */
export const runtimeClassColumns: readonly TableColumn[] = [
  nameColumn,
  text("Handler", "Runtime handler of the containers.", ({ handler }) => handler),
  ageColumn,
];

/** Columns of the kind DeviceClass. */
export const deviceClassColumns: readonly TableColumn[] = [nameColumn, ageColumn];

/** Columns of the kind ResourceClaimTemplate. */
export const resourceClaimTemplateColumns: readonly TableColumn[] = [nameColumn, ageColumn];

/** Columns of the kind ResourceClaim. */
export const resourceClaimColumns: readonly TableColumn[] = [
  nameColumn,
  text("State", "State of the claim.", claimState),
  ageColumn,
];

/** Columns of the kind ResourceSlice. */
export const resourceSliceColumns: readonly TableColumn[] = [
  nameColumn,
  text("Node", "Node of the devices.", (one) => specOf(one)["nodeName"] ?? ""),
  text("Driver", "Driver of the devices.", (one) => specOf(one)["driver"]),
  text("Pool", "Pool of the devices.", (one) => mapOf(specOf(one)["pool"])["name"]),
  ageColumn,
];

/** Columns of the kind DeviceTaintRule. */
export const deviceTaintRuleColumns: readonly TableColumn[] = [
  nameColumn,
  text("Key", "Key of the taint.", (one) => mapOf(specOf(one)["taint"])["key"]),
  text("Value", "Value of the taint.", (one) => mapOf(specOf(one)["taint"])["value"] ?? ""),
  text("Effect", "Effect of the taint.", (one) => mapOf(specOf(one)["taint"])["effect"]),
  text("TimeAdded", "Time since the taint was added.", (one, now) =>
    sinceText(mapOf(specOf(one)["taint"])["timeAdded"], now),
  ),
  ageColumn,
];

/** Columns of the kind FlowSchema. */
export const flowSchemaColumns: readonly TableColumn[] = [
  nameColumn,
  text(
    "PriorityLevel",
    "Priority level of the requests.",
    (one) => mapOf(specOf(one)["priorityLevelConfiguration"])["name"],
  ),
  text(
    "MatchingPrecedence",
    "Precedence; the lowest is matched first.",
    (one) => specOf(one)["matchingPrecedence"],
  ),
  text("DistinguisherMethod", "Method that distinguishes flows.", (one) =>
    orNone(mapOf(specOf(one)["distinguisherMethod"])["type"]),
  ),
  ageColumn,
  text("MissingPL", "True if the priority level is missing.", ({ status }) => {
    const dangling = objectsOf(mapOf(status)["conditions"]).find(({ type }) => type === "Dangling");
    return dangling?.["status"] ?? "?";
  }),
];

/** Columns of the kind PriorityLevelConfiguration. */
export const priorityLevelConfigurationColumns: readonly TableColumn[] = [
  nameColumn,
  text("Type", "Exempt or Limited.", (one) => specOf(one)["type"]),
  text("NominalConcurrencyShares", "Share of the concurrency.", (one) =>
    orNone(mapOf(specOf(one)["limited"])["nominalConcurrencyShares"]),
  ),
  text("Queues", "Number of queues.", (one) => orNone(queuing(one)["queues"])),
  text("HandSize", "Queues that one flow may use.", (one) => orNone(queuing(one)["handSize"])),
  text("QueueLengthLimit", "Requests that one queue holds.", (one) =>
    orNone(queuing(one)["queueLengthLimit"]),
  ),
  ageColumn,
];

function size(data: unknown): number {
  return Object.keys(mapOf(data)).length;
}

function quotaText({ status }: JsonObject, limits: boolean): string {
  const { hard, used } = mapOf(status);
  return Object.keys(mapOf(hard))
    .sort()
    .filter((name) => name.startsWith("limits.") === limits)
    .map((name) => `${name}: ${String(mapOf(used)[name] ?? "0")}/${String(mapOf(hard)[name])}`)
    .join(", ");
}

function claimState({ metadata, status }: JsonObject): string {
  const { reservedFor, allocation } = mapOf(status);
  const words = [
    ...(mapOf(metadata)["deletionTimestamp"] === undefined ? [] : ["deleted"]),
    ...(allocation === undefined
      ? ["pending"]
      : ["allocated", ...(objectsOf(reservedFor).length > 0 ? ["reserved"] : [])]),
  ];
  return words.join(",");
}

function queuing(level: JsonObject): JsonObject {
  return mapOf(mapOf(mapOf(specOf(level)["limited"])["limitResponse"])["queuing"]);
}
