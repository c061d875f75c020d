import type { ApiObject } from "../../objects/api-object.js";
import { specOf } from "../../objects/parts.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { expectedScale } from "./expected-scale.js";

/** Number of pods that a budget expects, and how many of them must be healthy. */
export interface HealthyWanted {
  readonly desiredHealthy: number;
  readonly expectedPods: number;
}

/**
 * Returns the expected pods and how many of them must be healthy.
 *
 * @returns a message instead when the number of expected pods can't be determined.
 */
export function healthyWanted(
  context: ControllerParts,
  budget: ApiObject,
  pods: readonly ApiObject[],
): HealthyWanted | { readonly problem: string } {
  const { maxUnavailable, minAvailable } = specOf(budget);
  if (maxUnavailable === undefined && typeof minAvailable !== "string") {
    return { desiredHealthy: Number(minAvailable ?? 0), expectedPods: pods.length };
  }
  const scale = expectedScale(context, pods);
  if ("problem" in scale) {
    return scale;
  }
  const { count } = scale;
  const desired =
    maxUnavailable === undefined
      ? scaledUp(minAvailable, count)
      : Math.max(0, count - scaledUp(maxUnavailable, count));
  return { desiredHealthy: desired, expectedPods: count };
}

/** Returns a number, or a percentage of the total, rounded up. */
function scaledUp(value: unknown, whole: number): number {
  return typeof value === "string"
    ? Math.ceil((Number.parseInt(value, 10) * whole) / 100)
    : Number(value);
}
