import { compareResourceVersions, isComparableResourceVersion } from "@typekube/core";

/** Whether a version is at least another. Where versions have no order, only the version itself is. */
export function hasReached(version: string, wanted: string): boolean {
  return (
    version === wanted ||
    (isComparableResourceVersion(version) &&
      isComparableResourceVersion(wanted) &&
      compareResourceVersions(version, wanted) >= 0)
  );
}
