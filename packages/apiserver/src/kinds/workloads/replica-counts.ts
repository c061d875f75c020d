import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import { type RuledType, validateFields } from "../fields/validate-fields.js";

/** Counts in the status of a workload, and how they depend on each other. */
export interface ReplicaCounts {
  /** Go type of the status, whose rows name the counts. */
  readonly status: RuledType;
  /** Counts that can't exceed `replicas`. */
  readonly ofReplicas?: readonly string[];
  /** Name of `readyReplicas` in the error about more available than ready replicas. */
  readonly readyCalled?: string;
}

/** Counts of a ReplicaSet or ReplicationController. */
export const replicaCounts: ReplicaCounts = {
  status: "apps/v1.ReplicaSetStatus",
  ofReplicas: ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"],
};

/** Appends the field errors of the counts in a workload's status. */
export function validateReplicaCounts(
  { status: type, ofReplicas = [], readyCalled = "readyReplicas" }: ReplicaCounts,
  { status }: ApiObject,
  errors: FieldErrors,
): void {
  validateFields(type, mapOf(status), "status", errors);
  for (const part of ofReplicas) {
    validatePart(mapOf(status), part, ["replicas", "status.replicas"], errors);
  }
  validatePart(mapOf(status), "availableReplicas", ["readyReplicas", readyCalled], errors);
}

function validatePart(
  status: JsonObject,
  part: string,
  [whole, called]: readonly [whole: string, called: string],
  errors: FieldErrors,
): void {
  const count = status[part] ?? 0;
  if (Number(count) > Number(status[whole] ?? 0)) {
    errors.push(cause.invalid(`status.${part}`, count, `cannot be greater than ${called}`));
  }
}

/** Appends an error if the number of name collisions decreases. */
export function validateCollisionCount(
  object: ApiObject,
  old: ApiObject,
  errors: FieldErrors,
): void {
  const { collisionCount: count } = mapOf(object["status"]);
  const { collisionCount: oldCount } = mapOf(old["status"]);
  if (oldCount !== undefined && Number(count ?? 0) < Number(oldCount)) {
    errors.push(cause.invalid("status.collisionCount", count ?? 0, "cannot be decremented"));
  }
}
