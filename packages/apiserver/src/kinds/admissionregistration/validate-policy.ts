import type {
  MutatingAdmissionPolicy,
  ValidatingAdmissionPolicy,
} from "@typekube/api/admissionregistration/v1";
import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { specOf } from "../../objects/parts.js";
import { validateOneOf } from "../../phases/validate/checks.js";
import type { StrategyWrite } from "../../resources/kind-strategy.js";
import { policyPackage } from "./policy-package.js";
import { validateMatchConstraints, validateMutableResources } from "./validate-match-resources.js";
import { validateParamKind } from "./validate-params.js";

const failurePolicies = ["Fail", "Ignore"];
const reinvocationPolicies = ["IfNeeded", "Never"];

/** Appends the field errors of a ValidatingAdmissionPolicy, with those of its expressions. */
export function validateValidatingPolicy(
  object: ApiObject,
  old: ApiObject | undefined,
  errors: FieldErrors,
  { server, subresource }: StrategyWrite,
): void {
  if (subresource !== "") {
    return;
  }
  const { failurePolicy, paramKind, matchConstraints } = specOf(object);
  validateOneOf(failurePolicy, failurePolicies, "spec.failurePolicy", errors);
  validateParamKind(paramKind, "spec.paramKind", errors);
  validateMatchConstraints(matchConstraints, "spec.matchConstraints", errors);
  // The fields have the types of the kind: the body was decoded as one.
  errors.push(
    ...policyPackage().checkValidatingPolicy(
      object as ValidatingAdmissionPolicy,
      old as ValidatingAdmissionPolicy | undefined,
      { version: server.version },
    ),
  );
}

/** Appends the field errors of a MutatingAdmissionPolicy, with those of its expressions. */
export function validateMutatingPolicy(
  object: ApiObject,
  old: ApiObject | undefined,
  errors: FieldErrors,
  { server }: StrategyWrite,
): void {
  const { failurePolicy, paramKind, matchConstraints, reinvocationPolicy = "" } = specOf(object);
  validateOneOf(failurePolicy, failurePolicies, "spec.failurePolicy", errors);
  validateParamKind(paramKind, "spec.paramKind", errors);
  validateMatchConstraints(
    matchConstraints,
    "spec.matchConstraints",
    errors,
    validateMutableResources,
  );
  errors.push(
    ...policyPackage().checkMutatingPolicy(
      object as MutatingAdmissionPolicy,
      old as MutatingAdmissionPolicy | undefined,
      { version: server.version },
    ),
  );
  if (reinvocationPolicy === "") {
    errors.push(cause.required("spec.reinvocationPolicy"));
  } else {
    validateOneOf(reinvocationPolicy, reinvocationPolicies, "spec.reinvocationPolicy", errors);
  }
}
