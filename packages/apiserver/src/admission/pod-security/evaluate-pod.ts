import { baselineChecks } from "./baseline-checks.js";
import type { PodCheck, PodView, Violation } from "./pod-check.js";
import type { LevelVersion } from "./policy.js";
import { restrictedChecks } from "./restricted-checks.js";

const byId = (a: PodCheck, b: PodCheck) => (a.id < b.id ? -1 : 1);

/** All checks: baseline first, each level sorted by ID. */
const checks: readonly PodCheck[] = [
  ...[...baselineChecks].sort(byId),
  ...[...restrictedChecks].sort(byId),
];

/**
 * Returns the violations of a level by a pod.
 *
 * @param ownMinor - the server's minor version; newer versions of a level are evaluated as this one.
 */
export function evaluatePod(
  pod: PodView,
  { level, minor }: LevelVersion,
  ownMinor: number,
): Violation[] {
  if (level === "privileged") {
    return [];
  }
  const chosen = checks.flatMap((one) => {
    const found = one.versions.findLast(({ since }) => since <= Math.min(minor, ownMinor));
    const isMade = found !== undefined && (level === "restricted" || one.level === "baseline");
    return isMade ? [{ one, check: found.check }] : [];
  });
  const overridden = new Set(chosen.map(({ one }) => one.overrides));
  return chosen.flatMap(({ one, check }) => {
    const found = overridden.has(one.id) ? undefined : check(pod);
    return found === undefined ? [] : [found];
  });
}

/** Formats violations with values and locations: `host namespaces (hostPID=true), hostPort (...)`. */
export function detailed(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(", ");
}
