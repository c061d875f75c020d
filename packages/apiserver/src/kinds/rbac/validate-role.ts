import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { objectsOf } from "../../objects/parts.js";
import { validateSelector } from "../fields/selectors.js";

/** Appends the field errors of a role's rules; only a ClusterRole may have non-resource URLs. */
export function validateRole(role: ApiObject, isClusterWide: boolean, errors: FieldErrors): void {
  const rules = objectsOf(role["rules"]);
  if (isClusterWide && isJsonObject(role["aggregationRule"])) {
    validateAggregation(role["aggregationRule"], "aggregationRule", errors);
  }
  for (const [at, rule] of rules.entries()) {
    validateRule(rule, `rules[${at}]`, errors, isClusterWide);
  }
}

function validateAggregation(rule: JsonObject, path: string, errors: FieldErrors): void {
  const selectors = objectsOf(rule["clusterRoleSelectors"]);
  if (selectors.length === 0) {
    const why = "at least one clusterRoleSelector required if aggregationRule is non-nil";
    errors.push(cause.required(`${path}.clusterRoleSelectors`, why));
  }
  for (const [at, selector] of selectors.entries()) {
    const place = `${path}.clusterRoleSelectors[${at}]`;
    const count = errors.length;
    validateSelector(selector, place, errors);
    if (errors.length > count) {
      errors.push(cause.invalid(place, null, "invalid label selector."));
    }
  }
}

function validateRule(
  rule: JsonObject,
  path: string,
  errors: FieldErrors,
  isClusterWide: boolean,
): void {
  const has = (list: string) => stringsOf(rule[list]).length > 0;
  if (!has("nonResourceURLs")) {
    if (!has("apiGroups")) {
      const why = "resource rules must supply at least one api group";
      errors.push(cause.required(`${path}.apiGroups`, why));
    }
    if (!has("resources")) {
      const why = "resource rules must supply at least one resource";
      errors.push(cause.required(`${path}.resources`, why));
    }
  } else if (!isClusterWide || ["apiGroups", "resources", "resourceNames"].some(has)) {
    const why = isClusterWide
      ? "rules cannot apply to both regular resources and non-resource URLs"
      : "namespaced rules cannot apply to non-resource URLs";
    errors.push(cause.invalid(`${path}.nonResourceURLs`, rule["nonResourceURLs"], why));
  }
}
