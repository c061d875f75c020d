import type { JsonObject } from "../../objects/json-value.js";
import { objectsOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";

/** The parts of a pod against which its containers are validated. */
export interface PodSurroundings {
  readonly volumes: ReadonlyMap<unknown, JsonObject>;
  readonly hostNetwork: boolean;
  /** Names of the pod's resource claims. */
  readonly resourceClaims: readonly unknown[];
  readonly graceSeconds: number;
  /** `false` for a pod in its own user namespace. */
  readonly hostUsers: boolean;
}

/**
 * Returns the pod context for validating containers.
 *
 * @param volumes - volumes that the containers may use.
 */
export function surroundings(
  spec: JsonObject,
  volumes: readonly JsonObject[] = objectsOf(spec["volumes"]),
): PodSurroundings {
  return {
    volumes: new Map(volumes.map((one) => [one["name"], one])),
    hostNetwork: spec["hostNetwork"] === true,
    resourceClaims: objectsOf(spec["resourceClaims"]).flatMap(({ name }) =>
      isUnset(name) ? [] : [name],
    ),
    graceSeconds: Number(spec["terminationGracePeriodSeconds"] ?? 0),
    hostUsers: spec["hostUsers"] !== false,
  };
}
