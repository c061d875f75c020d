import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import type { TableColumn } from "../../resources/table-column.js";
import { sinceText } from "../../response/table/age.js";
import { orNone } from "../../response/table/cell-text.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

/** Columns of the kind Namespace. */
export const namespaceColumns: readonly TableColumn[] = columnsFor("namespaces", {
  Status: column("Phase of the namespace.", ({ status }) => mapOf(status)["phase"] ?? ""),
});

/** Columns of the kind ConfigMap. */
export const configMapColumns: readonly TableColumn[] = columnsFor("configmaps", {
  Data: column("Number of keys.", (one) => size(one["data"]) + size(one["binaryData"])),
});

/** Columns of the kind Secret. */
export const secretColumns: readonly TableColumn[] = columnsFor("secrets", {
  Type: column("Type of the Secret.", ({ type }) => type),
  Data: column("Number of keys.", ({ data }) => size(data)),
});

/** Columns of the kind ResourceQuota. */
export const resourceQuotaColumns: readonly TableColumn[] = columnsFor("resourcequotas", {
  Request: column("Used requests, and their limits.", (one) => quotaText(one, false)),
  Limit: column("Used limits, and their limits.", (one) => quotaText(one, true)),
});

/** Columns of the kind ComponentStatus. */
export const componentStatusColumns: readonly TableColumn[] = columnsFor("componentstatuses", {
  Status: column("Health of the component.", () => "Unknown"),
  Message: column("Message of the component.", () => ""),
  Error: column("Error of the component.", () => ""),
});

/** Columns of the kind Lease. */
export const leaseColumns: readonly TableColumn[] = columnsFor("leases.coordination.k8s.io", {
  Holder: column("Holder of the lease.", (one) => specOf(one)["holderIdentity"] ?? ""),
});

/** Columns of the kind PriorityClass. */
export const priorityClassColumns: readonly TableColumn[] = columnsFor(
  "priorityclasses.scheduling.k8s.io",
  {
    Value: column("Priority of the class.", ({ value }) => value ?? 0),
    "Global-Default": column(
      "True for the class of pods without one.",
      ({ globalDefault }) => globalDefault === true,
    ),
    PreemptionPolicy: column(
      "Policy for preempting other pods.",
      ({ preemptionPolicy }) => preemptionPolicy,
    ),
  },
);

/** Columns of the kind RuntimeClass. */
export const runtimeClassColumns: readonly TableColumn[] = columnsFor(
  "runtimeclasses.node.k8s.io",
  {
    Handler: column("Runtime handler of the containers.", ({ handler }) => handler),
  },
);

/** Columns of the kind ResourceClaim. */
export const resourceClaimColumns: readonly TableColumn[] = columnsFor(
  "resourceclaims.resource.k8s.io",
  {
    State: column("State of the claim.", claimState),
  },
);

/** Columns of the kind ResourceSlice. */
export const resourceSliceColumns: readonly TableColumn[] = columnsFor(
  "resourceslices.resource.k8s.io",
  {
    Node: column("Node of the devices.", (one) => specOf(one)["nodeName"] ?? ""),
    Driver: column("Driver of the devices.", (one) => specOf(one)["driver"]),
    Pool: column("Pool of the devices.", (one) => mapOf(specOf(one)["pool"])["name"]),
  },
);

/** Columns of the kind DeviceTaintRule. */
export const deviceTaintRuleColumns: readonly TableColumn[] = columnsFor(
  "devicetaintrules.resource.k8s.io",
  {
    Key: column("Key of the taint.", (one) => mapOf(specOf(one)["taint"])["key"]),
    Value: column("Value of the taint.", (one) => mapOf(specOf(one)["taint"])["value"] ?? ""),
    Effect: column("Effect of the taint.", (one) => mapOf(specOf(one)["taint"])["effect"]),
    TimeAdded: column("Time since the taint was added.", (one, now) =>
      sinceText(mapOf(specOf(one)["taint"])["timeAdded"], now),
    ),
  },
);

/** Columns of the kind FlowSchema. */
export const flowSchemaColumns: readonly TableColumn[] = columnsFor(
  "flowschemas.flowcontrol.apiserver.k8s.io",
  {
    PriorityLevel: column(
      "Priority level of the requests.",
      (one) => mapOf(specOf(one)["priorityLevelConfiguration"])["name"],
    ),
    MatchingPrecedence: column(
      "Precedence; the lowest is matched first.",
      (one) => specOf(one)["matchingPrecedence"],
    ),
    DistinguisherMethod: column("Method that distinguishes flows.", (one) =>
      orNone(mapOf(specOf(one)["distinguisherMethod"])["type"]),
    ),
    MissingPL: column("True if the priority level is missing.", ({ status }) => {
      const dangling = objectsOf(mapOf(status)["conditions"]).find(
        ({ type }) => type === "Dangling",
      );
      return dangling?.["status"] ?? "?";
    }),
  },
);

/** Columns of the kind PriorityLevelConfiguration. */
export const priorityLevelConfigurationColumns: readonly TableColumn[] = columnsFor(
  "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io",
  {
    Type: column("Exempt or Limited.", (one) => specOf(one)["type"]),
    NominalConcurrencyShares: column("Share of the concurrency.", (one) =>
      orNone(mapOf(specOf(one)["limited"])["nominalConcurrencyShares"]),
    ),
    Queues: column("Number of queues.", (one) => orNone(queuing(one)["queues"])),
    HandSize: column("Queues that one flow may use.", (one) => orNone(queuing(one)["handSize"])),
    QueueLengthLimit: column("Requests that one queue holds.", (one) =>
      orNone(queuing(one)["queueLengthLimit"]),
    ),
  },
);

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
