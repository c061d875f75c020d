import type { ApiObject } from "../../objects/api-object.js";
import { getPath } from "../../objects/json-value.js";
import { specOf } from "../../objects/parts.js";

export const setStorage = "statefulsets.apps";
export const claimStorage = "persistentvolumeclaims";

/** Label of a pod with the revision of its template. */
export const revisionLabel = "controller-revision-hash";

/** Numbers of the wanted pods: from `start` up to but excluding `end`. */
export interface NumberRange {
  readonly start: number;
  readonly end: number;
}

/** Returns the numbers of the pods that a StatefulSet wants. */
export function rangeOf(set: ApiObject): NumberRange {
  const start = Number(getPath(set, "spec", "ordinals", "start") ?? 0);
  return { start, end: start + Number(specOf(set)["replicas"] ?? 1) };
}

/** Returns whether a number is in a range. */
export function isIn({ start, end }: NumberRange, number: number): boolean {
  return number >= start && number < end;
}

/** Returns the number at the end of a pod's name; -1 for a name that the set does not give. */
export function numberOf(set: ApiObject, pod: ApiObject): number {
  const prefix = `${set.metadata.name}-`;
  const { name = "" } = pod.metadata;
  const rest = name.startsWith(prefix) ? name.slice(prefix.length) : "";
  return /^\d+$/.test(rest) ? Number(rest) : -1;
}

/** Returns the revision of a pod's template. */
export function revisionOf(pod: ApiObject): string | undefined {
  return pod.metadata.labels?.[revisionLabel];
}
