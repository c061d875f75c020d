import { resourceVersionOrder } from "@typekube/core";

/** Returns true when a resourceVersion is at least `wanted`. Without an order, only the same resourceVersion counts. */
export function hasReached(version: string, wanted: string): boolean {
  return version === wanted || (resourceVersionOrder(version, wanted) ?? -1) >= 0;
}
