import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import {
  validateOneOf,
  validateOptional,
  validatePathSegment,
  validateRequired,
  validateSubdomain,
} from "../../phases/validate/checks.js";

const group = "rbac.authorization.k8s.io";

/** Appends the field errors of a binding; a ClusterRoleBinding can't refer to a Role. */
export function validateBinding(
  binding: ApiObject,
  isClusterWide: boolean,
  errors: FieldErrors,
): void {
  const { apiGroup, kind, name } = mapOf(binding["roleRef"]);
  const subjects = objectsOf(binding["subjects"]);
  const kinds = isClusterWide ? ["ClusterRole"] : ["Role", "ClusterRole"];
  validateOneOf(apiGroup, [group], "roleRef.apiGroup", errors);
  if (!kinds.includes(String(kind))) {
    errors.push(cause.notSupported("roleRef.kind", kind ?? "", kinds));
  }
  for (const [at, subject] of subjects.entries()) {
    validateSubject(subject, `subjects[${at}]`, errors, isClusterWide);
  }
  validateOptional(name, validatePathSegment, "roleRef.name", errors);
}

const subjectKinds = ["ServiceAccount", "User", "Group"];

function validateSubject(
  { kind, name, namespace, apiGroup }: JsonObject,
  path: string,
  errors: FieldErrors,
  isClusterWide: boolean,
): void {
  switch (kind) {
    case "ServiceAccount":
      validateOptional(name, validateSubdomain, `${path}.name`, errors);
      validateOneOf(apiGroup, [""], `${path}.apiGroup`, errors);
      if (isClusterWide) {
        validateRequired(namespace, `${path}.namespace`, errors);
      }
      break;
    case "Group":
    case "User":
      validateOneOf(apiGroup, [group], `${path}.apiGroup`, errors);
      break;
    default:
      errors.push(cause.notSupported(`${path}.kind`, kind ?? "", subjectKinds));
  }
}
