import type { ApiObject } from "../../../objects/api-object.js";
import { getPath } from "../../../objects/json-value.js";
import { atLeastOne } from "../../../phases/write/graceful-deletion.js";
import type { StrategyDelete } from "../../../resources/kind-strategy.js";

/**
 * Returns the grace period of a pod in seconds. Only a running pod on a node gets one, for a kubelet to stop it; others
 * are deleted at once.
 */
export function gracePeriodOf(object: ApiObject, { gracePeriodSeconds }: StrategyDelete): number {
  const phase = getPath(object, "status", "phase");
  const isRun = (getPath(object, "spec", "nodeName") ?? "") !== "";
  if (!isRun || phase === "Failed" || phase === "Succeeded") {
    return 0;
  }
  const wanted = gracePeriodSeconds ?? getPath(object, "spec", "terminationGracePeriodSeconds");
  return typeof wanted === "number" ? atLeastOne(wanted) : 0;
}
