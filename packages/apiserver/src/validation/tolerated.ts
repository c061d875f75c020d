import type { FieldErrors } from "./checks.js";

/**
 * Rules that came after there were objects that break them. Where an object does, updates may go on doing so: otherwise
 * nobody could take a finalizer from it.
 */
const cameLater: readonly RegExp[] = [
  /[aA]ffinity\.required(DuringSchedulingIgnoredDuringExecution)?\.nodeSelectorTerms.*\.values\[\d+\]$/,
  /\.pod(Anti)?Affinity\..*[sS]elector\.matchExpressions\[\d+\]\.values\[\d+\]$/,
  /\.topologySpreadConstraints\[\d+\]\.labelSelector\b/,
  /\.volumes\[\d+\]\.image\.reference$/,
  /^spec\.scaleTargetRef\.apiVersion$/,
  /^spec\.tls\[\d+\]\.secretName$/,
];

/**
 * What is wrong with an update, without what was wrong by the same rule with the object before.
 *
 * @param causesBefore - what is wrong with that one. It is asked only where it matters.
 */
export function withoutTolerated(
  causes: FieldErrors,
  causesBefore: () => FieldErrors,
): FieldErrors {
  const broken = cameLater.filter((rule) => causes.some(({ field = "" }) => rule.test(field)));
  if (broken.length === 0) {
    return causes;
  }
  const before = causesBefore();
  const tolerated = broken.filter((rule) => before.some(({ field = "" }) => rule.test(field)));
  return causes.filter(({ field = "" }) => !tolerated.some((rule) => rule.test(field)));
}
