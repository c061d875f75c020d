import type { ApiObject } from "../../objects/api-object.js";
import { getPath, type JsonObject } from "../../objects/json-value.js";
import { isGoing } from "../../objects/owner-references.js";
import { mapOf } from "../../objects/parts.js";

/** Milliseconds until an evicted pod that was not deleted counts again: `DeletionTimeout` of the disruption controller. */
const deletionTimeoutMs = 120_000;

/** Returns evicted pods that are not deleted yet, with the times of their evictions; they don't count as healthy. */
export function disruptedPods(
  budget: ApiObject,
  pods: readonly ApiObject[],
  now: number,
): JsonObject {
  const known = mapOf(getPath(budget, "status", "disruptedPods"));
  const kept = pods.filter((pod) => {
    const since = known[pod.metadata.name ?? ""];
    return since !== undefined && !isGoing(pod) && leftOf(since, now) > 0;
  });
  return Object.fromEntries(kept.map(({ metadata: { name = "" } }) => [name, known[name]]));
}

/** Returns the milliseconds until the first evicted pod counts again. */
export function recheckIn(disrupted: JsonObject, now: number): number | undefined {
  const waits = Object.values(disrupted).map((since) => leftOf(since, now));
  return waits.length === 0 ? undefined : Math.min(...waits);
}

function leftOf(since: unknown, now: number): number {
  return Date.parse(String(since)) + deletionTimeoutMs - now;
}
