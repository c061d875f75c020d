/** `v2beta1` as its number, track and number of the track. */
interface VersionParts {
  readonly major: number;
  /** 2 stable, 1 beta, 0 alpha. */
  readonly track: number;
  readonly minor: number;
}

/**
 * Orders API versions as servers prefer them: stable before beta before alpha, then the higher number; what does not look like
 * a version comes last, by its letters. (apimachinery `version.CompareKubeAwareVersionStrings`)
 *
 * @returns a negative number when `a` is preferred to `b`.
 *
 * @example
 * ["v1alpha3", "v2beta1", "v1", "v2"].sort(compareApiVersions); // v2, v1, v2beta1, v1alpha3
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
