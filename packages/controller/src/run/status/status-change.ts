import type { KubeObject, Live } from "@typekube/api";
import type { Condition } from "@typekube/api/meta/v1";
import { isJsonObject, type JsonObject, jsonEqual } from "@typekube/core/internal";
import { type ConditionInput, withCondition } from "../../conditions/set-condition.js";

/** Changes that a merge patch has to make in a status. */
export interface StatusChange {
  /** The fields to write; empty when the status has them all. */
  readonly fields: JsonObject;
  /** `true` when a list was computed from the object's own: the write then holds only for that state of it. */
  readonly needsVersion: boolean;
}

/**
 * Compares a part of a status with the status of an object. Conditions are merged by type and keep their
 * `lastTransitionTime`; a condition without `observedGeneration` gets that of the object.
 *
 * @param generation - of the object that was reconciled.
 * @throws {KubeError} `InvalidArgument` for an invalid condition.
 */
export function statusChange(
  object: Live<KubeObject>,
  partial: JsonObject,
  generation: number | undefined,
  now: number,
): StatusChange {
  const { status } = object as { readonly status?: unknown };
  const current = isJsonObject(status) ? status : {};
  const fields: JsonObject = {};
  let needsVersion = false;
  for (const [name, value] of Object.entries(partial)) {
    if (name === "conditions" && Array.isArray(value)) {
      const old = Array.isArray(current[name]) ? (current[name] as Condition[]) : [];
      const merged = mergedConditions(old, value as ConditionInput[], generation, now);
      if (merged !== old) {
        fields[name] = merged;
        needsVersion = true;
      }
    } else if (!holds(current[name], value)) {
      fields[name] = withNulls(value);
    }
  }
  return { fields, needsVersion };
}

/** Returns a value for a merge patch, which removes what is `undefined` in it. */
function withNulls(value: unknown): unknown {
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withNulls(field)]))
    : (value ?? null);
}

function mergedConditions(
  old: readonly Condition[],
  given: readonly ConditionInput[],
  generation: number | undefined,
  now: number,
): readonly Condition[] {
  return given.reduce(
    (conditions, condition) =>
      withCondition(
        conditions,
        { ...condition, observedGeneration: condition.observedGeneration ?? generation },
        now,
      ),
    old,
  );
}

/** Returns true when a merge patch with this value would change nothing. */
function holds(current: unknown, value: unknown): boolean {
  if (value === null || value === undefined) {
    return current === undefined || current === null;
  }
  return isJsonObject(value)
    ? isJsonObject(current) &&
        Object.entries(value).every(([name, field]) => holds(current[name], field))
    : jsonEqual(current, value);
}
