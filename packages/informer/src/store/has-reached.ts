import { resourceVersionOrder } from "@typekube/core";

/** Whether a version is at least another. Where versions have no order, only the version itself is. */
export function hasReached(version: string, wanted: string): boolean {
  return version === wanted || (resourceVersionOrder(version, wanted) ?? -1) >= 0;
}
