import { compareResourceVersions, isComparableResourceVersion } from "@typekube/core";

/** Whether a version comes before another. Where versions have no order, none does. (KEP-5504) */
export function isOlderVersion(version: string, than: string | undefined): boolean {
  return (
    than !== undefined &&
    version !== than &&
    isComparableResourceVersion(version) &&
    isComparableResourceVersion(than) &&
    compareResourceVersions(version, than) < 0
  );
}
