import type { AdmissionPlugin } from "../admission-plugin.js";
import { isExempt, isReview } from "../matching/is-exempt.js";
import { hasBoundPolicies } from "./bound-policies.js";
import { mutateByPolicies } from "./mutate-by-policies.js";
import { validateByPolicies } from "./validate-by-policies.js";

/**
 * Evaluates MutatingAdmissionPolicies and ValidatingAdmissionPolicies. (apiserver `MutatingAdmissionPolicy`,
 * `ValidatingAdmissionPolicy`)
 */
export const policyPlugin: AdmissionPlugin = {
  isActive: ({ store }) => hasBoundPolicies(store),
  mutate: (attributes, mutation) =>
    isExempt(attributes) || isReview(attributes)
      ? attributes.object
      : mutateByPolicies(attributes, mutation),
  validate(attributes, scope) {
    if (!isExempt(attributes) && !isReview(attributes)) {
      validateByPolicies(attributes, scope);
    }
  },
};
