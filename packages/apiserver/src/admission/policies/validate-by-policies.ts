import type { CompiledValidatingPolicy, Denial, ValidationConclusion } from "@typekube/policy";
import type { AdmissionScope } from "../../context/admission-scope.js";
import type { ServerContext } from "../../context/server-context.js";
import { forbidden, StatusError } from "../../errors/status-errors.js";
import { policyPackage } from "../../kinds/admissionregistration/policy-package.js";
import { specOf } from "../../objects/parts.js";
import type { AdmissionAttributes } from "../attributes.js";
import { expressionInput } from "../expressions/expression-input.js";
import { reviewedAs } from "../matching/versioned-objects.js";
import { validatingPolicies } from "./bound-policies.js";
import { type FailedInvocation, findInvocations, type Invocation } from "./find-invocations.js";
import { requestName } from "./request-name.js";

/**
 * Evaluates the ValidatingAdmissionPolicies that match a request. (apiserver `validating.Dispatch`)
 *
 * @throws {StatusError} with the code of the first denial.
 */
export function validateByPolicies(attributes: AdmissionAttributes, scope: AdmissionScope): void {
  const policies = validatingPolicies(scope.server.store);
  if (policies.length === 0) {
    return;
  }
  const found = findInvocations(policies, attributes, scope.server);
  const { warnings, auditAnnotations, denial, failed } = concludeValidation(
    found,
    attributes,
    scope.server,
  );
  scope.noteFailed?.(failed);
  scope.warnings.push(...warnings);
  for (const [key, value] of Object.entries(auditAnnotations)) {
    scope.annotate(key, value);
  }
  if (denial !== undefined) {
    throw denied(attributes, denial);
  }
}

/** Returns what policies together decide on a request. */
export function concludeValidation(
  invocations: Iterable<
    FailedInvocation<CompiledValidatingPolicy> | Invocation<CompiledValidatingPolicy>
  >,
  attributes: AdmissionAttributes,
  server: ServerContext,
): ValidationConclusion {
  const { actionsOf, validateByPolicy, ValidationConclusion: Conclusion } = policyPackage();
  const conclusion = new Conclusion();
  for (const found of invocations) {
    const { bound, binding } = found;
    if ("problem" in found) {
      if (specOf(bound.policy)["failurePolicy"] !== "Ignore") {
        conclusion.addProblem(bound.name, binding?.metadata.name, found.problem);
      }
      continue;
    }
    const { metadata } = found.binding;
    const actions = actionsOf(specOf(found.binding)["validationActions"]);
    const input = expressionInput(reviewedAs(attributes, found.match), server, found.params);
    conclusion.add(
      { policy: bound.name, binding: metadata.name ?? "", actions },
      validateByPolicy(bound.compile(), input),
    );
  }
  return conclusion;
}

function denied(attributes: AdmissionAttributes, { message, reason, code }: Denial): StatusError {
  const { status } = forbidden(attributes.resource, requestName(attributes), message);
  return new StatusError({
    ...status,
    reason,
    code,
    details: { ...status.details, causes: [{ message }] },
  });
}
