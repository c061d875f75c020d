import type { Condition } from "@typekube/api/meta/v1";
import { KubeError } from "@typekube/core";

/** A condition to set. `lastTransitionTime` is kept for as long as the status stays the same. */
export interface ConditionInput {
  /** In CamelCase: `Ready`. */
  readonly type: string;
  readonly status: "False" | "True" | "Unknown";
  /** One word in CamelCase that programs may read. */
  readonly reason: string;
  /** Text for people. Default: empty. */
  readonly message?: string | undefined;
  /** Generation of the object that the condition describes. Default: the one before. */
  readonly observedGeneration?: number | undefined;
}

/** Part of a status that has conditions. */
export interface WithConditions {
  readonly conditions?: readonly Condition[] | undefined;
}

/** Longest reason and message. (metav1.Condition) */
const maxReason = 1_024;
const maxMessage = 32_768;
const typePattern =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const reasonPattern = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

/**
 * Returns a status with a condition, in the place of the one of its type. `lastTransitionTime` changes only together
 * with the condition's status. (apimachinery's meta.SetStatusCondition)
 *
 * @param now - milliseconds since 1970. Default: the system's time.
 * @returns the same status when the condition stands there already.
 * @throws {KubeError} `InvalidArgument` for a condition that the API would refuse.
 */
export function setCondition<S extends WithConditions>(
  status: S,
  condition: ConditionInput,
  now: number = Date.now(),
): S {
  const conditions = withCondition(status.conditions ?? [], condition, now);
  return conditions === status.conditions ? status : { ...status, conditions };
}

/** Returns a list of conditions with one more, as {@link setCondition} does; the same list when it stands there. */
export function withCondition(
  conditions: readonly Condition[],
  condition: ConditionInput,
  now: number,
): readonly Condition[] {
  assertCondition(condition);
  const { type, status, reason, message = "" } = condition;
  const at = conditions.findIndex((one) => one.type === type);
  const old = conditions[at];
  const observedGeneration = condition.observedGeneration ?? old?.observedGeneration;
  const isSame =
    old !== undefined &&
    old.status === status &&
    old.reason === reason &&
    old.message === message &&
    old.observedGeneration === observedGeneration;
  if (isSame) {
    return conditions;
  }
  const next: Condition = {
    type,
    status,
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    lastTransitionTime:
      old?.status === status
        ? old.lastTransitionTime
        : new Date(now).toISOString().replace(/\.\d+Z$/, "Z"),
    reason,
    message,
  };
  return old === undefined ? [...conditions, next] : conditions.with(at, next);
}

/** @throws {KubeError} `InvalidArgument`. */
export function assertCondition({ type, status, reason, message = "" }: ConditionInput): void {
  const problem =
    typeof type !== "string" || !typePattern.test(type)
      ? `its type "${type}" is not a name such as Ready or example.com/Ready`
      : !["False", "True", "Unknown"].includes(status)
        ? `its status "${status}" is not True, False or Unknown`
        : typeof reason !== "string" || reason.length > maxReason || !reasonPattern.test(reason)
          ? `its reason "${String(reason).slice(0, 64)}" is not one word in CamelCase`
          : typeof message !== "string" || message.length > maxMessage
            ? `its message is longer than ${maxMessage} characters`
            : undefined;
  if (problem !== undefined) {
    throw new KubeError("InvalidArgument", `the condition ${type} is invalid: ${problem}`);
  }
}
