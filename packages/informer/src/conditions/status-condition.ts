import type { KubeObject, Live } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { type DescribedCondition, describedCondition } from "./object-condition.js";

/** An entry of an object's `status.conditions`, in the form that all kinds use. */
export interface StatusCondition {
  readonly type?: string | undefined;
  readonly status?: string | undefined;
  readonly reason?: string | undefined;
  readonly observedGeneration?: number | undefined;
}

/** Fields that {@link hasCondition} and {@link seenCondition} read. */
export const conditionFields: readonly string[] = [
  "metadata.generation",
  "status.conditions",
  "status.observedGeneration",
];

/**
 * Waits for a condition in `status.conditions`. (`conditions.has`)
 *
 * @throws {KubeError} `InvalidArgument` for an empty type or status.
 */
export function condition(type: string, status = "True"): DescribedCondition {
  for (const [what, text] of [
    ["type", type],
    ["status", status],
  ]) {
    if (typeof text !== "string" || text === "") {
      throw new KubeError("InvalidArgument", `the ${what} of a condition must be text`, {
        hint: 'conditions.has("Ready") or conditions.has("Ready", "False")',
      });
    }
  }
  return describedCondition(
    `condition ${type}=${status}`,
    conditionFields,
    (object) => object !== undefined && hasCondition(object, type, status),
    (object) => seenCondition(object, type),
  );
}

/** Returns true when an object has a condition with this status, observed at its newest generation. */
export function hasCondition(object: Live<KubeObject>, type: string, status: string): boolean {
  const found = findCondition(object, type);
  return found?.status?.toLowerCase() === status.toLowerCase() && isObserved(object, found);
}

/** Describes a condition of an object: its status, its reason, and whether it is of an older generation. */
export function seenCondition(object: Live<KubeObject>, type: string): string {
  const found = findCondition(object, type);
  if (found === undefined) {
    return `no condition ${type}`;
  }
  const reason = found.reason ? ` (${found.reason})` : "";
  const stale = isObserved(object, found) ? "" : " of an older generation";
  return `${type}=${found.status ?? "nothing"}${reason}${stale}`;
}

function findCondition(object: Live<KubeObject>, type: string): StatusCondition | undefined {
  const { conditions } = statusOf(object);
  return Array.isArray(conditions)
    ? (conditions as StatusCondition[]).find(
        (one) => one.type?.toLowerCase() === type.toLowerCase(),
      )
    : undefined;
}

/** Prefers the condition's own `observedGeneration` to that of the whole status. */
function isObserved(object: Live<KubeObject>, of: StatusCondition): boolean {
  const { generation } = object.metadata;
  const observed = of.observedGeneration ?? statusOf(object).observedGeneration;
  return observed === undefined || generation === undefined || observed >= generation;
}

function statusOf(object: Live<KubeObject>): {
  readonly conditions?: unknown;
  readonly observedGeneration?: number;
} {
  return (object as { readonly status?: object }).status ?? {};
}
