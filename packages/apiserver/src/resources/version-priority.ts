/** How far a version has come, by its name; `other` is a name that says nothing about it. */
export type VersionStage = "alpha" | "beta" | "ga" | "other";

const stages: readonly VersionStage[] = ["ga", "beta", "alpha", "other"];

/** The stage of a version: `v1` is `ga`, `v2beta1` is `beta`, `v1alpha3` is `alpha`. */
export function stageOf(version: string): VersionStage {
  return partsOf(version).stage;
}

/**
 * Orders versions as discovery does: stable before beta before alpha, higher numbers first, and names of any other form
 * after them in the order of their letters.
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
