import type { CompiledValidatingPolicy, Denial, ValidationConclusion } from "@typekube/policy";
import type { AdmissionScope } from "../../context/admission-scope.js";
import { forbidden, StatusError } from "../../errors/status-errors.js";
import { policyPackage } from "../../kinds/admissionregistration/policy-package.js";
import type { ApiObject } from "../../objects/api-object.js";
import { specOf } from "../../objects/parts.js";
import type { AdmissionAttributes } from "../attributes.js";
import { expressionInput } from "../expressions/expression-input.js";
import { reviewedAs } from "../matching/versioned-objects.js";
import { type BoundPolicy, validatingPolicies } from "./bound-policies.js";
import { collectParams, ParamsProblem, paramResource } from "./collect-params.js";
import { matchResources } from "./match-resources.js";
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
  const { ValidationConclusion: Conclusion } = policyPackage();
  const conclusion = new Conclusion();
  for (const policy of policies) {
    validateByPolicy(policy, attributes, scope, conclusion);
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

function validateByPolicy(
  bound: BoundPolicy<CompiledValidatingPolicy>,
  attributes: AdmissionAttributes,
  { server }: AdmissionScope,
  conclusion: ValidationConclusion,
): void {
  const { name, policy, bindings } = bound;
  const match = matchResources(specOf(policy)["matchConstraints"], attributes, server);
  if (match === undefined) {
    return;
  }
  const { actionsOf, validateByPolicy: validate } = policyPackage();
  const refuse = (error: unknown, binding?: ApiObject) => {
    if (!(error instanceof ParamsProblem)) {
      throw error;
    }
    if (specOf(policy)["failurePolicy"] !== "Ignore") {
      conclusion.addProblem(name, binding?.metadata.name, error.message);
    }
  };
  try {
    const resource = paramResource(policy, server);
    for (const binding of bindings) {
      const { matchResources: limits, validationActions } = specOf(binding);
      if (limits !== undefined && matchResources(limits, attributes, server) === undefined) {
        continue;
      }
      const bindingName = binding.metadata.name ?? "";
      try {
        const reviewed = reviewedAs(attributes, match);
        for (const params of collectParams(resource, binding, attributes.namespace, server)) {
          const verdict = validate(bound.compile(), expressionInput(reviewed, server, params));
          const actions = actionsOf(validationActions);
          conclusion.add({ policy: name, binding: bindingName, actions }, verdict);
        }
      } catch (error) {
        refuse(error, binding);
      }
    }
  } catch (error) {
    refuse(error);
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
