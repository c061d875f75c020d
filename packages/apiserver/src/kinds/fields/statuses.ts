import { parseQuantity } from "@typekube/core/quantity";
import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { getPath, type JsonObject, jsonEqual } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { validateNotNegative, validateOneOf } from "../../phases/validate/checks.js";

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

/** Appends the field errors of the counts in a status. */
export function validateCount(
  storage: string,
  object: ApiObject,
  before: ApiObject,
  errors: FieldErrors,
): void {
  const { counts = [], parts = [], growing } = counted[storage] ?? {};
  const status = mapOf(object["status"]);
  for (const name of counts) {
    validateNotNegative(status[name], `status.${name}`, errors);
  }
  for (const [part, whole, called] of parts) {
    const value = status[part] ?? 0;
    if (Number(value) > Number(status[whole] ?? 0)) {
      errors.push(cause.invalid(`status.${part}`, value, `cannot be greater than ${called}`));
    }
  }
  if (growing !== undefined) {
    validateGrowingCount(growing, status, mapOf(before["status"]), errors);
  }
}

function validateGrowingCount(
  name: string,
  now: JsonObject,
  then: JsonObject,
  errors: FieldErrors,
): void {
  const value = now[name] ?? 0;
  if (then[name] !== undefined && Number(value) < Number(then[name])) {
    errors.push(cause.invalid(`status.${name}`, value, "cannot be decremented"));
  }
}

/** Appends the field errors of conditions of the type `metav1.Condition`. */
export function validateCondition({ status }: ApiObject, errors: FieldErrors): void {
  for (const [at, condition] of objectsOf(getPath(status, "conditions")).entries()) {
    const field = `status.conditions[${at}]`;
    validateOneOf(condition["status"], ["False", "True", "Unknown"], `${field}.status`, errors);
    for (const key of ["lastTransitionTime", "reason"].filter(
      (key) => (condition[key] ?? "") === "",
    )) {
      errors.push(cause.required(`${field}.${key}`));
    }
  }
}

/** Appends the field errors of a Node status. */
export function validateNodeStatus({ status }: ApiObject, errors: FieldErrors): void {
  const addresses = objectsOf(getPath(status, "addresses"));
  for (const [at, address] of addresses.entries()) {
    if (addresses.slice(0, at).some((one) => jsonEqual(one, address))) {
      errors.push(
        cause.duplicate(`status.addresses[${at}]`, {
          Type: address["type"],
          Address: address["address"],
        }),
      );
    }
  }
  for (const list of ["capacity", "allocatable"]) {
    for (const [name, amount] of Object.entries(mapOf(getPath(status, list)))) {
      if ((parseQuantity(amount)?.nanos ?? 0n) < 0n) {
        errors.push(
          cause.invalid(`status.${list}.${name}`, amount, "must be greater than or equal to 0"),
        );
      }
    }
  }
}

/** Appends the field errors of a Namespace status: its phase must match its deletion state. */
export function validateNamespaceStatus(
  { metadata, status }: ApiObject,
  errors: FieldErrors,
): void {
  const phase = getPath(status, "phase") ?? "";
  const [wanted, when] =
    metadata.deletionTimestamp === undefined ? ["Active", "empty"] : ["Terminating", "not empty"];
  if (phase !== wanted && phase !== "") {
    errors.push(
      cause.invalid(
        "status.Phase",
        phase,
        `may only be '${wanted}' if \`deletionTimestamp\` is ${when}`,
      ),
    );
  }
}
