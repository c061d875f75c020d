import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { stringsOf } from "../../objects/json-value.js";
import { specOf } from "../../objects/parts.js";
import { validateOneOf, validateSubdomain } from "../../phases/validate/checks.js";
import { validateMatchResources, validateMutableResources } from "./validate-match-resources.js";
import { validateParamRef } from "./validate-params.js";

/** Appends the field errors of a ValidatingAdmissionPolicyBinding. */
export function validateValidatingBinding(binding: ApiObject, errors: FieldErrors): void {
  validateBinding(binding, errors, validateMatchResources);
  validateActions(
    stringsOf(specOf(binding)["validationActions"]),
    "spec.validationActions",
    errors,
  );
}

/** Appends the field errors of a MutatingAdmissionPolicyBinding. */
export function validateMutatingBinding(binding: ApiObject, errors: FieldErrors): void {
  validateBinding(binding, errors, validateMutableResources);
}

function validateBinding(
  binding: ApiObject,
  errors: FieldErrors,
  validateResources: typeof validateMatchResources,
): void {
  const { policyName = "", paramRef, matchResources } = specOf(binding);
  if (policyName === "") {
    errors.push(cause.required("spec.policyName"));
  } else {
    validateSubdomain(policyName, "spec.policyName", errors);
  }
  validateParamRef(paramRef, "spec.paramRef", errors);
  if (matchResources !== undefined) {
    validateResources(matchResources, "spec.matchResources", errors);
  }
}

const knownActions = ["Audit", "Deny", "Warn"];

function validateActions(actions: readonly string[], path: string, errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const [at, action] of actions.entries()) {
    validateOneOf(action, knownActions, `${path}[${at}]`, errors);
    if (seen.has(action)) {
      errors.push(cause.duplicate(`${path}[${at}]`, action));
    }
    seen.add(action);
  }
  if (seen.has("Deny") && seen.has("Warn")) {
    const why =
      "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";
    errors.push(cause.invalid(path, actions, why));
  }
  if (seen.size === 0) {
    errors.push(cause.required(path));
  }
}
