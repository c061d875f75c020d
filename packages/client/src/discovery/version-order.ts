/** A version split into number, track and number of the track: `v2beta1` has 2, beta and 1. */
interface VersionParts {
  readonly major: number;
  /** 2 for stable, 1 for beta, 0 for alpha. */
  readonly track: number;
  readonly minor: number;
}

/**
 * Compares API versions in the order that servers prefer: stable before beta before alpha, then the higher number.
 * Other names come last, in alphabetical order. (apimachinery `version.CompareKubeAwareVersionStrings`)
 *
 * @returns a negative number when `a` is preferred to `b`.
 *
 * @example
 * ```ts
 * ["v1alpha3", "v2beta1", "v1", "v2"].sort(compareApiVersions); // v2, v1, v2beta1, v1alpha3
 * ```
 */
export function compareApiVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  if (left === undefined || right === undefined) {
    return left === right ? (a < b ? -1 : a > b ? 1 : 0) : left === undefined ? 1 : -1;
  }
  return right.track - left.track || right.major - left.major || right.minor - left.minor;
}

function partsOf(version: string): VersionParts | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (!match) {
    return undefined;
  }
  const [, major, track, minor] = match;
  return {
    major: Number(major),
    track: track === undefined ? 2 : track === "beta" ? 1 : 0,
    minor: Number(minor ?? 0),
  };
}
