/** Stability of an API version by its name; `other` for names of another form. */
export type VersionStage = "alpha" | "beta" | "ga" | "other";

const stages: readonly VersionStage[] = ["ga", "beta", "alpha", "other"];

/** Returns the stage of a version: `v1` is `ga`, `v2beta1` is `beta`, `v1alpha3` is `alpha`. */
export function stageOf(version: string): VersionStage {
  return partsOf(version).stage;
}

/**
 * Compares versions in discovery order: stable before beta before alpha, higher numbers first, then names of any other
 * form alphabetically.
 */
export function compareVersions(a: string, b: string): number {
  const one = partsOf(a);
  const other = partsOf(b);
  if (one.stage === "other" && other.stage === "other") {
    return a < b ? -1 : Number(a > b);
  }
  return (
    stages.indexOf(one.stage) - stages.indexOf(other.stage) ||
    other.major - one.major ||
    other.minor - one.minor
  );
}

function partsOf(version: string) {
  const [, major, stage = "ga", minor = "0"] =
    /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version) ?? [];
  return major === undefined
    ? { stage: "other" as const, major: 0, minor: 0 }
    : { stage: stage as VersionStage, major: Number(major), minor: Number(minor) };
}
