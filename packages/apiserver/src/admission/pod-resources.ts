import type { JsonObject } from "../objects/json-value.js";
import { mapOf, objectsOf } from "../objects/parts.js";
import { larger, type ResourceList, readResourceList, sum } from "../objects/resource-list.js";

/** Field of container resources: `requests` or `limits`. */
export type Bound = "limits" | "requests";

/**
 * Adds up the requests or limits of a pod's containers. Init containers run one after the other, so the largest counts;
 * sidecars (restartable init containers) count on top. Pod-level resources override the sums.
 */
export function podResources(spec: JsonObject, bound: Bound): ResourceList {
  const of = (container: JsonObject) => readResourceList(mapOf(container["resources"])[bound]);
  let total: ResourceList = new Map();
  for (const container of objectsOf(spec["containers"])) {
    total = sum(total, of(container));
  }
  let staying: ResourceList = new Map();
  let beginning: ResourceList = new Map();
  for (const container of objectsOf(spec["initContainers"])) {
    const amounts = of(container);
    if (container["restartPolicy"] === "Always") {
      total = sum(total, amounts);
      staying = sum(staying, amounts);
      beginning = larger(beginning, staying);
    } else {
      beginning = larger(beginning, sum(amounts, staying));
    }
  }
  const own = readResourceList(mapOf(spec["resources"])[bound]);
  return new Map([...larger(total, beginning), ...[...own].filter(([name]) => isOfPods(name))]);
}

/** Adds the pod overhead to {@link podResources}. A limit that is not set stays unset. */
export function podResourcesWithOverhead(spec: JsonObject, bound: Bound): ResourceList {
  const total = podResources(spec, bound);
  const overhead = [...readResourceList(spec["overhead"])].filter(
    ([name]) => bound === "requests" || (total.get(name)?.nanos ?? 0n) !== 0n,
  );
  return sum(total, new Map(overhead));
}

/** Returns whether a resource can be set at pod level. */
function isOfPods(name: string): boolean {
  return name === "cpu" || name === "memory" || name.startsWith("hugepages-");
}
