import { mapOf, objectsOf, specOf } from "../kinds/parts.js";
import type { JsonObject } from "../store/json-value.js";
import { sinceText } from "./age.js";
import { orNone } from "./cell-text.js";
import { eventColumns } from "./event-columns.js";
import { ageColumn, boolean, createdColumn, integer, nameColumn, text } from "./make-column.js";
import { nodeColumns } from "./node-columns.js";
import type { TableColumn } from "./table-column.js";

/** Columns of nodes, events, namespaces, ConfigMaps, quotas, leases and other cluster kinds. */
export const clusterColumns: Readonly<Record<string, readonly TableColumn[]>> = {
  nodes: nodeColumns,
  events: eventColumns,
  namespaces: [
    nameColumn,
    text("Status", "Whether it is in use.", ({ status }) => mapOf(status)["phase"] ?? ""),
    ageColumn,
  ],
  configmaps: [
    nameColumn,
    text("Data", "How many entries.", (one) => size(one["data"]) + size(one["binaryData"])),
    ageColumn,
  ],
  secrets: [
    nameColumn,
    text("Type", "What it is for.", ({ type }) => type),
    text("Data", "How many entries.", ({ data }) => size(data)),
    ageColumn,
  ],
  limitranges: [nameColumn, createdColumn],
  "csistoragecapacities.storage.k8s.io": [nameColumn, createdColumn],
  resourcequotas: [
    nameColumn,
    text("Request", "What is used, of what may be.", (one) => quotaText(one, false)),
    text("Limit", "The same for limits.", (one) => quotaText(one, true)),
    ageColumn,
  ],
  componentstatuses: [
    nameColumn,
    text("Status", "Whether it is healthy.", () => "Unknown"),
    text("Message", "What it says.", () => ""),
    text("Error", "What went wrong.", () => ""),
  ],
  "leases.coordination.k8s.io": [
    nameColumn,
    text("Holder", "Who has it.", (one) => specOf(one)["holderIdentity"] ?? ""),
    ageColumn,
  ],
  "priorityclasses.scheduling.k8s.io": [
    nameColumn,
    integer("Value", "The priority.", ({ value }) => value ?? 0),
    boolean(
      "Global-Default",
      "Whether pods without a class have it.",
      ({ globalDefault }) => globalDefault === true,
    ),
    ageColumn,
    text(
      "PreemptionPolicy",
      "Whether others make room.",
      ({ preemptionPolicy }) => preemptionPolicy,
    ),
  ],
  "runtimeclasses.node.k8s.io": [
    nameColumn,
    text("Handler", "What runs the containers.", ({ handler }) => handler),
    ageColumn,
  ],
  "deviceclasses.resource.k8s.io": [nameColumn, ageColumn],
  "resourceclaimtemplates.resource.k8s.io": [nameColumn, ageColumn],
  "resourceclaims.resource.k8s.io": [
    nameColumn,
    text("State", "How far it is.", claimState),
    ageColumn,
  ],
  "resourceslices.resource.k8s.io": [
    nameColumn,
    text("Node", "Where the devices are.", (one) => specOf(one)["nodeName"] ?? ""),
    text("Driver", "Whose devices they are.", (one) => specOf(one)["driver"]),
    text("Pool", "To which pool they belong.", (one) => mapOf(specOf(one)["pool"])["name"]),
    ageColumn,
  ],
  "devicetaintrules.resource.k8s.io": [
    nameColumn,
    text("Key", "Key of the taint.", (one) => mapOf(specOf(one)["taint"])["key"]),
    text("Value", "Its value.", (one) => mapOf(specOf(one)["taint"])["value"] ?? ""),
    text("Effect", "What it does.", (one) => mapOf(specOf(one)["taint"])["effect"]),
    text("TimeAdded", "Time since it was added.", (one, now) =>
      sinceText(mapOf(specOf(one)["taint"])["timeAdded"], now),
    ),
    ageColumn,
  ],
  "flowschemas.flowcontrol.apiserver.k8s.io": [
    nameColumn,
    text(
      "PriorityLevel",
      "Where its requests go.",
      (one) => mapOf(specOf(one)["priorityLevelConfiguration"])["name"],
    ),
    text(
      "MatchingPrecedence",
      "The lowest is asked first.",
      (one) => specOf(one)["matchingPrecedence"],
    ),
    text("DistinguisherMethod", "What tells flows apart.", (one) =>
      orNone(mapOf(specOf(one)["distinguisherMethod"])["type"]),
    ),
    ageColumn,
    text("MissingPL", "Whether its level is missing.", ({ status }) => {
      const dangling = objectsOf(mapOf(status)["conditions"]).find(
        ({ type }) => type === "Dangling",
      );
      return dangling?.["status"] ?? "?";
    }),
  ],
  "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": [
    nameColumn,
    text("Type", "Whether there is a limit.", (one) => specOf(one)["type"]),
    text("NominalConcurrencyShares", "Its share.", (one) =>
      orNone(mapOf(specOf(one)["limited"])["nominalConcurrencyShares"]),
    ),
    text("Queues", "How many queues.", (one) => orNone(queuing(one)["queues"])),
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
