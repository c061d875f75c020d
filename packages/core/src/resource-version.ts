import { KubeError } from "./kube-error.js";

const decimal = /^[1-9][0-9]*$/;

/**
 * Compares two resource versions by age, as KEP-5504 allows: decimal numbers of any length without leading
 * zeros; the shorter is the older, equal lengths compare as text. (apimachinery
 * `util/resourceversion.CompareResourceVersion`)
 *
 * @returns a negative number when `a` is older than `b`, 0 when they are equal, else a positive number.
 * @throws {KubeError} `InvalidArgument` for "", "0" and anything that is not such a number.
 */
export function compareResourceVersions(a: string, b: string): number {
  assertComparable(a);
  assertComparable(b);
  if (a.length !== b.length) {
    return a.length - b.length;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether {@link compareResourceVersions} can order this one. */
export function isComparableResourceVersion(resourceVersion: string | undefined): boolean {
  return resourceVersion !== undefined && decimal.test(resourceVersion);
}

function assertComparable(resourceVersion: string): void {
  if (!decimal.test(resourceVersion)) {
    throw new KubeError(
      "InvalidArgument",
      `resourceVersion "${resourceVersion}" cannot be compared`,
      {
        hint: "only versions that came from a server can, not the empty one and not 0",
      },
    );
  }
}
