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
import { eventColumns } from "./event-columns.js";
import { nodeColumns } from "./node-columns.js";

/** Columns of nodes, events, namespaces, ConfigMaps, quotas, leases and other cluster kinds. */
export const clusterColumns: Readonly<Record<string, readonly TableColumn[]>> = {
  nodes: nodeColumns,
  events: eventColumns,
  namespaces: [
    nameColumn,
    text("Status", "Phase of the namespace.", ({ status }) => mapOf(status)["phase"] ?? ""),
    ageColumn,
  ],
  configmaps: [
    nameColumn,
    text("Data", "Number of keys.", (one) => size(one["data"]) + size(one["binaryData"])),
    ageColumn,
  ],
  secrets: [
    nameColumn,
    text("Type", "Type of the Secret.", ({ type }) => type),
    text("Data", "Number of keys.", ({ data }) => size(data)),
    ageColumn,
  ],
  limitranges: [nameColumn, createdColumn],
  "csistoragecapacities.storage.k8s.io": [nameColumn, createdColumn],
  resourcequotas: [
    nameColumn,
    text("Request", "Used requests, and their limits.", (one) => quotaText(one, false)),
    text("Limit", "Used limits, and their limits.", (one) => quotaText(one, true)),
    ageColumn,
  ],
  componentstatuses: [
    nameColumn,
    text("Status", "Health of the component.", () => "Unknown"),
    text("Message", "Message of the component.", () => ""),
    text("Error", "Error of the component.", () => ""),
  ],
  "leases.coordination.k8s.io": [
    nameColumn,
    text("Holder", "Holder of the lease.", (one) => specOf(one)["holderIdentity"] ?? ""),
    ageColumn,
  ],
  "priorityclasses.scheduling.k8s.io": [
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
  ],
  "runtimeclasses.node.k8s.io": [
    nameColumn,
    text("Handler", "Runtime handler of the containers.", ({ handler }) => handler),
    ageColumn,
  ],
  "deviceclasses.resource.k8s.io": [nameColumn, ageColumn],
  "resourceclaimtemplates.resource.k8s.io": [nameColumn, ageColumn],
  "resourceclaims.resource.k8s.io": [
    nameColumn,
    text("State", "State of the claim.", claimState),
    ageColumn,
  ],
  "resourceslices.resource.k8s.io": [
    nameColumn,
    text("Node", "Node of the devices.", (one) => specOf(one)["nodeName"] ?? ""),
    text("Driver", "Driver of the devices.", (one) => specOf(one)["driver"]),
    text("Pool", "Pool of the devices.", (one) => mapOf(specOf(one)["pool"])["name"]),
    ageColumn,
  ],
  "devicetaintrules.resource.k8s.io": [
    nameColumn,
    text("Key", "Key of the taint.", (one) => mapOf(specOf(one)["taint"])["key"]),
    text("Value", "Value of the taint.", (one) => mapOf(specOf(one)["taint"])["value"] ?? ""),
    text("Effect", "Effect of the taint.", (one) => mapOf(specOf(one)["taint"])["effect"]),
    text("TimeAdded", "Time since the taint was added.", (one, now) =>
      sinceText(mapOf(specOf(one)["taint"])["timeAdded"], now),
    ),
    ageColumn,
  ],
  "flowschemas.flowcontrol.apiserver.k8s.io": [
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
      const dangling = objectsOf(mapOf(status)["conditions"]).find(
        ({ type }) => type === "Dangling",
      );
      return dangling?.["status"] ?? "?";
    }),
  ],
  "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": [
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
  ],
};

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
