import { KubeError } from "./errors/kube-error.js";

const zero = 0x30;
const nine = 0x39;

/**
 * Compares two resourceVersions by age, as KEP-5504 allows: decimal numbers of any length without leading zeros. The
 * shorter one is older; equal lengths compare as text. (apimachinery `util/resourceversion.CompareResourceVersion`)
 *
 * @returns a negative number when `a` is older than `b`, 0 when they are equal, otherwise a positive number.
 * @throws {KubeError} `InvalidArgument` for "", "0" and anything that is not such a number.
 */
export function compareResourceVersions(a: string, b: string): number {
  assertComparable(a);
  assertComparable(b);
  return order(a, b);
}

/** Works like {@link compareResourceVersions}; `undefined` for resourceVersions that have no order. */
export function resourceVersionOrder(
  a: string | undefined,
  b: string | undefined,
): number | undefined {
  return isComparableResourceVersion(a) && isComparableResourceVersion(b) ? order(a, b) : undefined;
}

/** Returns whether {@link compareResourceVersions} can order a resourceVersion. */
export function isComparableResourceVersion(
  resourceVersion: string | undefined,
): resourceVersion is string {
  // Not a regular expression, because several resourceVersions are checked for each watch event.
  if (typeof resourceVersion !== "string" || !(resourceVersion.charCodeAt(0) > zero)) {
    return false;
  }
  for (let at = 0; at < resourceVersion.length; at++) {
    const code = resourceVersion.charCodeAt(at);
    if (code < zero || code > nine) {
      return false;
    }
  }
  return true;
}

function order(a: string, b: string): number {
  if (a.length !== b.length) {
    return a.length - b.length;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

function assertComparable(resourceVersion: string): void {
  if (!isComparableResourceVersion(resourceVersion)) {
    throw new KubeError(
      "InvalidArgument",
      `resourceVersion "${resourceVersion}" cannot be compared`,
      {
        hint: "use the resourceVersion of an object that a server returned; an empty resourceVersion and 0 have no order",
      },
    );
  }
}
