import { parseQuantity } from "@typekube/core/quantity";
import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { getPath, type JsonObject, jsonEqual } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { notNegative, oneOf } from "../../phases/validate/old-checks.js";

/** Constraints on status counts: none is negative, and no part exceeds its whole. */
interface Counts {
  readonly counts: readonly string[];
  /** Pairs of a part and its whole, and the name of the whole in errors. */
  readonly parts?: readonly (readonly [part: string, whole: string, called: string])[];
  /** A count that must not decrease. */
  readonly growing?: string;
}

const ofReplicas = (...parts: string[]) =>
  parts.map((part) => [part, "replicas", "status.replicas"] as const);
const ofReady = ["availableReplicas", "readyReplicas", "readyReplicas"] as const;
const replicaCounts: Counts = {
  counts: [
    "replicas",
    "fullyLabeledReplicas",
    "readyReplicas",
    "availableReplicas",
    "observedGeneration",
  ],
  parts: [...ofReplicas("fullyLabeledReplicas", "readyReplicas", "availableReplicas"), ofReady],
};

const counted: Readonly<Record<string, Counts>> = {
  replicationcontrollers: replicaCounts,
  "replicasets.apps": replicaCounts,
  "deployments.apps": {
    counts: [
      "observedGeneration",
      "replicas",
      "updatedReplicas",
      "readyReplicas",
      "availableReplicas",
      "unavailableReplicas",
    ],
    parts: [...ofReplicas("updatedReplicas", "readyReplicas", "availableReplicas"), ofReady],
    growing: "collisionCount",
  },
  "statefulsets.apps": {
    counts: [
      "replicas",
      "readyReplicas",
      "currentReplicas",
      "updatedReplicas",
      "availableReplicas",
      "observedGeneration",
      "collisionCount",
    ],
    parts: [
      ...ofReplicas("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"),
      ["availableReplicas", "readyReplicas", "status.readyReplicas"],
    ],
    growing: "collisionCount",
  },
  "daemonsets.apps": {
    counts: [
      "currentNumberScheduled",
      "numberMisscheduled",
      "desiredNumberScheduled",
      "numberReady",
      "observedGeneration",
      "updatedNumberScheduled",
      "numberAvailable",
      "numberUnavailable",
      "collisionCount",
    ],
    growing: "collisionCount",
  },
  "horizontalpodautoscalers.autoscaling": { counts: ["currentReplicas", "desiredReplicas"] },
  "poddisruptionbudgets.policy": {
    counts: ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"],
  },
};

/** Returns the field errors of the counts in a status. */
export function validateCount(storage: string, object: ApiObject, before: ApiObject): FieldErrors {
  const { counts = [], parts = [], growing } = counted[storage] ?? {};
  const status = mapOf(object["status"]);
  return [
    ...counts.flatMap((name) => notNegative(`status.${name}`, status[name])),
    ...parts.flatMap(([part, whole, called]) => {
      const value = status[part] ?? 0;
      return Number(value) > Number(status[whole] ?? 0)
        ? [cause.invalid(`status.${part}`, value, `cannot be greater than ${called}`)]
        : [];
    }),
    ...(growing === undefined
      ? []
      : validateGrowingCount(growing, status, mapOf(before["status"]))),
  ];
}

function validateGrowingCount(name: string, now: JsonObject, then: JsonObject): FieldErrors {
  const value = now[name] ?? 0;
  return then[name] !== undefined && Number(value) < Number(then[name])
    ? [cause.invalid(`status.${name}`, value, "cannot be decremented")]
    : [];
}

/** Returns the field errors of conditions of the type `metav1.Condition`. */
export function validateCondition({ status }: ApiObject): FieldErrors {
  return objectsOf(getPath(status, "conditions")).flatMap((condition, at) => {
    const field = `status.conditions[${at}]`;
    return [
      ...oneOf(`${field}.status`, condition["status"], ["False", "True", "Unknown"]),
      ...["lastTransitionTime", "reason"]
        .filter((key) => (condition[key] ?? "") === "")
        .map((key) => cause.required(`${field}.${key}`)),
    ];
  });
}

/** Returns the field errors of a Node status. */
export function validateNodeStatus({ status }: ApiObject): FieldErrors {
  const addresses = objectsOf(getPath(status, "addresses"));
  return [
    ...addresses.flatMap((address, at) =>
      addresses.slice(0, at).some((one) => jsonEqual(one, address))
        ? [
            cause.duplicate(`status.addresses[${at}]`, {
              Type: address["type"],
              Address: address["address"],
            }),
          ]
        : [],
    ),
    ...["capacity", "allocatable"].flatMap((list) =>
      Object.entries(mapOf(getPath(status, list))).flatMap(([name, amount]) =>
        (parseQuantity(amount)?.nanos ?? 0n) < 0n
          ? [cause.invalid(`status.${list}.${name}`, amount, "must be greater than or equal to 0")]
          : [],
      ),
    ),
  ];
}

/** Returns the field errors of a Namespace status: its phase must match its deletion state. */
export function validateNamespaceStatus({ metadata, status }: ApiObject): FieldErrors {
  const phase = getPath(status, "phase") ?? "";
  const [wanted, when] =
    metadata.deletionTimestamp === undefined ? ["Active", "empty"] : ["Terminating", "not empty"];
  return phase === wanted || phase === ""
    ? []
    : [
        cause.invalid(
          "status.Phase",
          phase,
          `may only be '${wanted}' if \`deletionTimestamp\` is ${when}`,
        ),
      ];
}
