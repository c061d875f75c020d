import type { FieldErrors } from "../../errors/field-errors.js";

/** Rules for pod specs introduced when objects that violate them already existed. */
const laterPodRules: readonly RegExp[] = [
  /[aA]ffinity\.required(DuringSchedulingIgnoredDuringExecution)?\.nodeSelectorTerms.*\.values\[\d+\]$/,
  /\.pod(Anti)?Affinity\..*[sS]elector\.matchExpressions\[\d+\]\.values\[\d+\]$/,
  /\.topologySpreadConstraints\[\d+\]\.labelSelector\b/,
  /\.volumes\[\d+\]\.image\.reference$/,
];

/**
 * Removes field errors by later rules that the old object violated too. An update may keep violating them; otherwise not
 * even a finalizer could be removed from such an object.
 *
 * @param laterRules - paths of the errors of further later rules.
 * @param oldErrors - returns the field errors of the old object; called only if needed.
 */
export function withoutTolerated(
  errors: FieldErrors,
  laterRules: readonly RegExp[],
  oldErrors: () => FieldErrors,
): FieldErrors {
  const isBroken = (found: FieldErrors) => (rule: RegExp) =>
    found.some(({ field = "" }) => rule.test(field));
  const broken = [...laterPodRules, ...laterRules].filter(isBroken(errors));
  if (broken.length === 0) {
    return errors;
  }
  const tolerated = broken.filter(isBroken(oldErrors()));
  return errors.filter(({ field = "" }) => !tolerated.some((rule) => rule.test(field)));
}
