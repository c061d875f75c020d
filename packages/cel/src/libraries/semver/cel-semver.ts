import { CelFailure, noSuchOverload } from "../../values/cel-failure.js";
import { CelOpaque } from "../../values/cel-opaque.js";
import { type CelType, structType } from "../../values/cel-type.js";
import type { CelValue } from "../../values/cel-value.js";
import { parseLooseVersion, parseSemanticVersion } from "./parse-semantic-version.js";
import { compareVersions, type SemanticVersion } from "./semantic-version.js";

/** Type of `semver("1.2.3")`. */
export const semverType: CelType<CelSemver> = structType("kubernetes.Semver");

/** A semantic version. */
export class CelSemver extends CelOpaque {
  override readonly type: CelType<CelSemver> = semverType;
  readonly version: SemanticVersion;

  constructor(version: SemanticVersion) {
    super();
    this.version = version;
  }

  /** Ignores build metadata. */
  override equals(other: CelValue): boolean | CelFailure {
    return other instanceof CelSemver
      ? compareVersions(this.version, other.version) === 0
      : noSuchOverload();
  }
}

/**
 * Parses a version.
 *
 * @param isLoose - Accepts `v1`, `1.2` and leading zeros.
 */
export function toSemver(text: string, isLoose = false): CelSemver | CelFailure {
  const version = isLoose ? parseLooseVersion(text) : parseSemanticVersion(text);
  return typeof version === "string" ? new CelFailure(version) : new CelSemver(version);
}
