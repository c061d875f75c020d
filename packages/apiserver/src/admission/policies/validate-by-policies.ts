import type { Denial } from "@typekube/policy";
import type { AdmissionScope } from "../../context/admission-scope.js";
import { forbidden, StatusError } from "../../errors/status-errors.js";
import { policyPackage } from "../../kinds/admissionregistration/policy-package.js";
import { specOf } from "../../objects/parts.js";
import type { AdmissionAttributes } from "../attributes.js";
import { expressionInput } from "../expressions/expression-input.js";
import { reviewedAs } from "../matching/versioned-objects.js";
import { validatingPolicies } from "./bound-policies.js";
import { findInvocations } from "./find-invocations.js";
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
  const { actionsOf, validateByPolicy, ValidationConclusion } = policyPackage();
  const conclusion = new ValidationConclusion();
  for (const found of findInvocations(policies, attributes, scope.server)) {
    const { bound, binding } = found;
    if ("problem" in found) {
      if (specOf(bound.policy)["failurePolicy"] !== "Ignore") {
        conclusion.addProblem(bound.name, binding?.metadata.name, found.problem);
      }
      continue;
    }
    const { metadata } = found.binding;
    const actions = actionsOf(specOf(found.binding)["validationActions"]);
    const input = expressionInput(reviewedAs(attributes, found.match), scope.server, found.params);
    conclusion.add(
      { policy: bound.name, binding: metadata.name ?? "", actions },
      validateByPolicy(bound.compile(), input),
    );
  }
  const { warnings, auditAnnotations, denial } = conclusion;
  scope.warnings.push(...warnings);
  for (const [key, value] of Object.entries(auditAnnotations)) {
    scope.annotate(key, value);
  }
  if (denial !== undefined) {
    throw denied(attributes, denial);
  }
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
