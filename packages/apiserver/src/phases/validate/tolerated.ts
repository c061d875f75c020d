import type { FieldErrors } from "../../errors/field-errors.js";

/**
 * Rules introduced when objects that violate them already existed. An update of such an object may keep violating them;
 * otherwise not even a finalizer could be removed from it.
 */
const laterRules: readonly RegExp[] = [
  /[aA]ffinity\.required(DuringSchedulingIgnoredDuringExecution)?\.nodeSelectorTerms.*\.values\[\d+\]$/,
  /\.pod(Anti)?Affinity\..*[sS]elector\.matchExpressions\[\d+\]\.values\[\d+\]$/,
  /\.topologySpreadConstraints\[\d+\]\.labelSelector\b/,
  /\.volumes\[\d+\]\.image\.reference$/,
  /^spec\.scaleTargetRef\.apiVersion$/,
  /^spec\.tls\[\d+\]\.secretName$/,
];

/**
 * Removes field errors by rules that the old object violated too, if these rules tolerate that.
 *
 * @param previousErrors - returns the field errors of the old object; called only if needed.
 */
export function withoutTolerated(
  errors: FieldErrors,
  previousErrors: () => FieldErrors,
): FieldErrors {
  const broken = laterRules.filter((rule) => errors.some(({ field = "" }) => rule.test(field)));
  if (broken.length === 0) {
    return errors;
  }
  const old = previousErrors();
  const tolerated = broken.filter((rule) => old.some(({ field = "" }) => rule.test(field)));
  return errors.filter(({ field = "" }) => !tolerated.some((rule) => rule.test(field)));
}
