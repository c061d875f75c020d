import { mapOf, objectsOf } from "../kinds/parts.js";
import type { JsonObject } from "../store/json-value.js";
import { larger, type ResourceList, readResourceList, sum } from "./resource-list.js";

/** What containers ask for at least, and what they may use at most. */
export type Bound = "limits" | "requests";

/**
 * What all containers of a pod ask for, or may use, together. Those that begin one after the other count as the
 * largest of them; those of them that stay count beside the others. What the pod says of itself comes before them.
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

/** The same with what running the pod itself costs. Where nothing is limited, that is no limit either. */
export function podResourcesWithOverhead(spec: JsonObject, bound: Bound): ResourceList {
  const total = podResources(spec, bound);
  const overhead = [...readResourceList(spec["overhead"])].filter(
    ([name]) => bound === "requests" || (total.get(name)?.nanos ?? 0n) !== 0n,
  );
  return sum(total, new Map(overhead));
}

/** What pods may say of themselves as a whole. */
function isOfPods(name: string): boolean {
  return name === "cpu" || name === "memory" || name.startsWith("hugepages-");
}
