import type {
  AuditAnnotation,
  ValidatingAdmissionPolicy,
  Validation,
} from "@typekube/api/admissionregistration/v1";
import {
  type FailurePolicy,
  MatchConditions,
  storedLanguage,
} from "../conditions/match-conditions.js";
import { type PolicyExpression, PolicyExpressions } from "../expressions/policy-expressions.js";
import { resultTypes } from "../expressions/result-types.js";
import type { ValidationAction } from "./conclusion.js";

/** A validation whose expressions are compiled. */
export interface CompiledValidation {
  readonly validation: Validation;
  readonly expression: PolicyExpression;
  readonly messageExpression: PolicyExpression | undefined;
}

/** An audit annotation whose expression is compiled. */
export interface CompiledAnnotation {
  readonly annotation: AuditAnnotation;
  readonly expression: PolicyExpression;
}

/** A ValidatingAdmissionPolicy whose expressions are compiled. */
export interface CompiledValidatingPolicy {
  readonly policy: ValidatingAdmissionPolicy;
  readonly failurePolicy: FailurePolicy;
  readonly expressions: PolicyExpressions;
  /** `undefined` without conditions. */
  readonly conditions: MatchConditions | undefined;
  readonly validations: readonly CompiledValidation[];
  readonly annotations: readonly CompiledAnnotation[];
}

/** Compiles a policy as a server does with a stored one. Expressions that do not compile fail when they are evaluated. */
export function compileValidatingPolicy(
  policy: ValidatingAdmissionPolicy,
): CompiledValidatingPolicy {
  const { spec = {} } = policy;
  const expressions = new PolicyExpressions({
    languageFor: storedLanguage,
    params: spec.paramKind !== undefined,
  });
  for (const variable of spec.variables ?? []) {
    expressions.addVariable(variable);
  }
  const { matchConditions = [] } = spec;
  return {
    policy,
    failurePolicy: spec.failurePolicy === "Ignore" ? "Ignore" : "Fail",
    expressions,
    conditions:
      matchConditions.length === 0 ? undefined : new MatchConditions(expressions, matchConditions),
    validations: (spec.validations ?? []).map((validation) => ({
      validation,
      expression: expressions.compile(validation.expression, { returns: resultTypes.condition }),
      messageExpression: isSet(validation.messageExpression)
        ? expressions.compile(validation.messageExpression, {
            returns: resultTypes.message,
            authorizer: false,
          })
        : undefined,
    })),
    annotations: (spec.auditAnnotations ?? []).map((annotation) => ({
      annotation,
      expression: expressions.compile(annotation.valueExpression, {
        returns: resultTypes.annotation,
      }),
    })),
  };
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== "";
}

/** Returns what a binding does with denials, in its order; without a list they refuse the request. */
export function actionsOf(given: unknown): readonly ValidationAction[] {
  return Array.isArray(given) ? given.filter(isAction) : ["Deny"];
}

function isAction(value: unknown): value is ValidationAction {
  return value === "Audit" || value === "Deny" || value === "Warn";
}
