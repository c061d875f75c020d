import type {
  MutatingAdmissionPolicy,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "@typekube/api/admissionregistration/v1";
import type { PolicyInput } from "./expressions/policy-input.js";
import {
  computeMutation,
  type Mutation,
  MutationProblem,
  matchesConditions,
} from "./mutating/mutate.js";
import { compileMutatingPolicy } from "./mutating/mutating-policy.js";
import { type Denial, ValidationConclusion } from "./validating/conclusion.js";
import type { AnnotationOutcome, PolicyDecision } from "./validating/decision.js";
import { validateByPolicy } from "./validating/validate.js";
import { actionsOf, compileValidatingPolicy } from "./validating/validating-policy.js";

/** A ValidatingAdmissionPolicy and the request that it decides on. */
export interface ValidatingEvaluation extends Omit<PolicyInput, "params"> {
  readonly policy: ValidatingAdmissionPolicy;
  /** Says what denials do; without it they refuse the request. */
  readonly binding?: ValidatingAdmissionPolicyBinding;
  /** The parameters that the binding selects; the policy is evaluated for each. None by default. */
  readonly params?: readonly unknown[];
}

/** The outcome of a ValidatingAdmissionPolicy. */
export interface ValidationResult {
  readonly allowed: boolean;
  /** Why the request is refused. */
  readonly denial: Denial | undefined;
  /** The decision of each validation, for one parameter after the other. */
  readonly decisions: readonly PolicyDecision[];
  readonly annotations: readonly AnnotationOutcome[];
  /** Texts for `Warning` headers. */
  readonly warnings: readonly string[];
  /** Audit annotations of the request. */
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** Units that all expressions cost. */
  readonly cost: number;
}

/** A MutatingAdmissionPolicy and the request that it changes. */
export interface MutatingEvaluation extends Omit<PolicyInput, "params"> {
  readonly policy: MutatingAdmissionPolicy;
  /** The parameters that the binding selects; the policy is evaluated for each. None by default. */
  readonly params?: readonly unknown[];
  /** Applies one mutation and returns the new object. The next expression sees it. */
  readonly applyMutation: (object: unknown, mutation: Mutation) => unknown;
}

/** The outcome of a MutatingAdmissionPolicy. */
export interface MutationResult {
  readonly allowed: boolean;
  /** Why mutations failed. They refuse the request, unless the failure policy is "Ignore". */
  readonly problems: readonly string[];
  /** The object after all mutations. */
  readonly object: unknown;
  readonly mutations: readonly Mutation[];
}

/**
 * Evaluates a ValidatingAdmissionPolicy on one request, as a server does for a request that the policy and the binding
 * match. Errors of expressions are in the outcome; nothing is thrown for them.
 */
export function evaluateValidatingPolicy(evaluation: ValidatingEvaluation): ValidationResult {
  const { policy, binding, params = [null], ...input } = evaluation;
  const compiled = compileValidatingPolicy(policy);
  const conclusion = new ValidationConclusion();
  const bound = {
    policy: policy.metadata?.name ?? "",
    binding: binding?.metadata?.name ?? "",
    actions: actionsOf(binding?.spec?.validationActions),
  };
  const verdicts = params.map((one) => validateByPolicy(compiled, { ...input, params: one }));
  for (const verdict of verdicts) {
    conclusion.add(bound, verdict);
  }
  const { denial, warnings, auditAnnotations } = conclusion;
  return {
    allowed: denial === undefined,
    denial,
    decisions: verdicts.flatMap(({ decisions }) => decisions),
    annotations: verdicts.flatMap(({ annotations }) => annotations),
    warnings,
    auditAnnotations,
    cost: verdicts.reduce((sum, { cost }) => sum + cost, 0),
  };
}

/** Evaluates a MutatingAdmissionPolicy on one request that the policy and the binding match. */
export function evaluateMutatingPolicy(evaluation: MutatingEvaluation): MutationResult {
  const { policy, params = [null], applyMutation, ...input } = evaluation;
  const compiled = compileMutatingPolicy(policy);
  const problems: string[] = [];
  const mutations: Mutation[] = [];
  let { object } = input;
  for (const one of params) {
    const { matches, error } = matchesConditions(compiled, { ...input, object, params: one });
    if (error !== undefined) {
      problems.push(error);
    }
    for (const mutation of matches ? compiled.mutations : []) {
      try {
        const change = computeMutation(compiled, mutation, { ...input, object, params: one });
        object = applyMutation(object, change);
        mutations.push(change);
      } catch (problem) {
        if (!(problem instanceof MutationProblem)) {
          throw problem;
        }
        problems.push(problem.message);
      }
    }
  }
  const allowed = problems.length === 0 || compiled.failurePolicy === "Ignore";
  return { allowed, problems, object, mutations };
}
