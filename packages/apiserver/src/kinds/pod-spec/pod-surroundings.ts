import type { JsonObject } from "../../objects/json-value.js";

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
