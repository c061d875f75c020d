import { compareText } from "../../values/code-points.js";

/** A version of Semantic Versioning 2.0.0. Build metadata has no meaning for order and equality, so it is not kept. */
export interface SemanticVersion {
  /** Major, minor and patch, each an unsigned 64-bit integer. */
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint];
  /** Parts of the pre-release: numbers and texts. */
  readonly preRelease: readonly (bigint | string)[];
}

/** Returns -1, 0 or 1 if `a` precedes `b`, is equal to it or comes after it. */
export function compareVersions(a: SemanticVersion, b: SemanticVersion): -1 | 0 | 1 {
  for (const [at, number] of a.numbers.entries()) {
    const order = orderOf(number, b.numbers[at] ?? 0n);
    if (order !== 0) {
      return order;
    }
  }
  // A version comes after its pre-releases.
  if (a.preRelease.length === 0 || b.preRelease.length === 0) {
    return orderOf(b.preRelease.length, a.preRelease.length);
  }
  for (const [at, part] of a.preRelease.entries()) {
    const other = b.preRelease[at];
    const order = other === undefined ? 1 : compareParts(part, other);
    if (order !== 0) {
      return order;
    }
  }
  return orderOf(a.preRelease.length, b.preRelease.length);
}

/** Numbers precede texts. */
function compareParts(a: bigint | string, b: bigint | string): -1 | 0 | 1 {
  if (typeof a === "string" && typeof b === "string") {
    return orderOf(compareText(a, b), 0);
  }
  if (typeof a === "bigint" && typeof b === "bigint") {
    return orderOf(a, b);
  }
  return typeof a === "bigint" ? -1 : 1;
}

function orderOf<T extends bigint | number>(a: T, b: T): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}
