import type { AdmissionAttributes } from "../attributes.js";

const configurationKinds: ReadonlySet<string> = new Set([
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
  "MutatingWebhookConfiguration",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "ValidatingWebhookConfiguration",
]);

/**
 * Returns whether a request is about the configuration of admission itself, which no webhook and no policy may reject:
 * otherwise a broken one could not be removed. (apiserver `IsExemptAdmissionConfigurationResource`)
 */
export function isExempt({ kind }: AdmissionAttributes): boolean {
  return kind.group === "admissionregistration.k8s.io" && configurationKinds.has(kind.kind);
}

const reviews: readonly string[] = [
  "localsubjectaccessreviews.authorization.k8s.io",
  "selfsubjectaccessreviews.authorization.k8s.io",
  "selfsubjectreviews.authentication.k8s.io",
  "selfsubjectrulesreviews.authorization.k8s.io",
  "subjectaccessreviews.authorization.k8s.io",
  "tokenreviews.authentication.k8s.io",
];

/** Returns whether a request is a review of access or identity. No policy sees these, and from 1.37 on no webhook. */
export function isReview({ resource }: AdmissionAttributes): boolean {
  return reviews.includes(resource.groupResource);
}
