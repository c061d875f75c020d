// Requests
export type {
  AdmissionRequest,
  GroupVersionKind,
  GroupVersionResource,
  Operation,
  RequestUser,
} from "./admission-request.js";
// Checks of what is written
export { type CheckOptions, checkWebhookConditions } from "./checks/check-expressions.js";
export { checkMutatingPolicy } from "./checks/check-mutating-policy.js";
export { checkValidatingPolicy } from "./checks/check-validating-policy.js";
export { type KindTypes, typeCheckPolicy } from "./checks/type-check.js";
// Match conditions
export {
  type FailurePolicy,
  type MatchCondition,
  MatchConditions,
  type MatchOutcome,
  webhookConditions,
} from "./conditions/match-conditions.js";
// Policies from TypeScript
export {
  type DefinedPolicy,
  definePolicy,
  type MutatingDefinition,
  type PolicyDefinition,
  type PolicyValidation,
  type ValidatingDefinition,
} from "./define/define-policy.js";
export {
  type MatchedResource,
  type MatchedSubresource,
  type ParamsOf,
  subresourceOf,
} from "./define/matched-resources.js";
export { PolicyProblem } from "./define/policy-problem.js";
export {
  evaluateMutatingPolicy,
  evaluateValidatingPolicy,
  type MutatingEvaluation,
  type MutationResult,
  type ValidatingEvaluation,
  type ValidationResult,
} from "./evaluate-policy.js";
// Expressions
export type { PolicyInput } from "./expressions/policy-input.js";
// Mutating policies
export {
  computeMutation,
  type Mutation,
  MutationProblem,
  matchesConditions,
  type PatchOperation,
} from "./mutating/mutate.js";
export {
  type CompiledMutatingPolicy,
  type CompiledMutation,
  compileMutatingPolicy,
} from "./mutating/mutating-policy.js";
// Validating policies
export {
  type BoundPolicy,
  type Denial,
  type FailedValidation,
  type ValidationAction,
  ValidationConclusion,
} from "./validating/conclusion.js";
export {
  type AnnotationOutcome,
  codeOfReason,
  type DenialReason,
  type PolicyDecision,
  type PolicyVerdict,
} from "./validating/decision.js";
export { validateByPolicy } from "./validating/validate.js";
export {
  actionsOf,
  type CompiledAnnotation,
  type CompiledValidatingPolicy,
  type CompiledValidation,
  compileValidatingPolicy,
} from "./validating/validating-policy.js";
