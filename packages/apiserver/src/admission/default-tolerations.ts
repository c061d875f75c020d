import type { ApiObject } from "../objects/api-object.js";
import { objectsOf, specOf, withSpec } from "../objects/parts.js";

/** Seconds for which a pod stays on an unreachable node. */
const tolerationSeconds = 300;

/** Adds tolerations for the two taints of an unresponsive node to pods without such tolerations. */
export function withTolerations(pod: ApiObject): ApiObject {
  const given = objectsOf(specOf(pod)["tolerations"]);
  const added = ["not-ready", "unreachable"]
    .map((state) => ({
      key: `node.kubernetes.io/${state}`,
      operator: "Exists",
      effect: "NoExecute",
      tolerationSeconds,
    }))
    .filter(
      ({ key, effect }) =>
        !given.some(
          (one) =>
            ((one["key"] ?? "") === "" || one["key"] === key) &&
            ((one["effect"] ?? "") === "" || one["effect"] === effect),
        ),
    );
  return added.length === 0 ? pod : withSpec(pod, { tolerations: [...given, ...added] });
}
