import { formatQuantity, parseQuantity } from "@typekube/core/quantity";
import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, stringsOf } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";
import { nanosPerUnit, validateResourceName } from "../../fields/resource-amounts.js";

const computed = ["cpu", "memory"];
const podResources = new Set([
  "pods",
  ...computed,
  ...computed.flatMap((name) => [`limits.${name}`, `requests.${name}`]),
]);
const counted = new Set([
  "configmaps",
  "persistentvolumeclaims",
  "pods",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
  "services",
  "services.loadbalancers",
  "services.nodeports",
]);
const standard = new Set([
  ...podResources,
  ...counted,
  "ephemeral-storage",
  "limits.ephemeral-storage",
  "requests.ephemeral-storage",
  "requests.storage",
]);
const scopes = new Set([
  "BestEffort",
  "CrossNamespacePodAffinity",
  "NotBestEffort",
  "NotTerminating",
  "PriorityClass",
  "Terminating",
  "VolumeAttributesClass",
]);
const opposites = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
];
/** Scopes without values. */
const plainScopes = new Set([
  "BestEffort",
  "CrossNamespacePodAffinity",
  "NotBestEffort",
  "NotTerminating",
  "Terminating",
]);

/** Appends the field errors of a ResourceQuota. */
export function validateQuota(quota: ApiObject, errors: FieldErrors): void {
  const spec = specOf(quota);
  const hard = mapOf(spec["hard"]);
  for (const [name, amount] of Object.entries(hard)) {
    validateAmount(name, amount, `spec.hard[${name}]`, errors);
  }
  validateScopes(stringsOf(spec["scopes"]), Object.keys(hard), "spec.scopes", errors);
  for (const requirement of objectsOf(mapOf(spec["scopeSelector"])["matchExpressions"])) {
    validateRequirement(requirement, "spec.scopeSelector.matchExpressions", errors);
  }
}

function validateAmount(name: string, amount: unknown, path: string, errors: FieldErrors): void {
  const isKnown = standard.has(name) || /^(requests\.)?hugepages-/.test(name);
  const isOwn = name.includes("/");
  const quantity = parseQuantity(amount);
  const nanos = quantity?.nanos ?? 0n;
  const shown = quantity === undefined ? amount : formatQuantity(quantity);
  validateResourceName(name, path, errors, isKnown || isOwn || name === "storage");
  if (!isKnown && !isOwn) {
    errors.push(cause.invalid(path, name, "must be a standard resource for quota"));
  }
  if (nanos < 0n) {
    errors.push(cause.invalid(path, shown, "must be greater than or equal to 0"));
  }
  if ((counted.has(name) || isOwn) && nanos % nanosPerUnit !== 0n) {
    errors.push(cause.invalid(path, shown, "must be an integer"));
  }
}

function validateScopes(
  given: readonly string[],
  names: readonly string[],
  path: string,
  errors: FieldErrors,
): void {
  for (const scope of given) {
    if (!scopes.has(scope)) {
      errors.push(cause.invalid(path, given, "unsupported scope"));
    }
    for (const name of names) {
      if (standard.has(name) && !isInScope(scope, name)) {
        errors.push(cause.invalid(path, given, "unsupported scope applied to resource"));
      }
    }
  }
  for (const pair of opposites) {
    if (pair.every((scope) => given.includes(scope))) {
      errors.push(cause.invalid(path, given, "conflicting scopes"));
    }
  }
}

function isInScope(scope: string, name: string): boolean {
  if (scope === "BestEffort") {
    return name === "pods";
  }
  return plainScopes.has(scope) || scope === "PriorityClass" ? podResources.has(name) : true;
}

function validateRequirement(
  { scopeName, operator, values }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const scope = String(scopeName ?? "");
  if (!scopes.has(scope)) {
    errors.push(cause.invalid(`${path}.scopeName`, scopeName ?? "", "unsupported scope"));
  }
  if (plainScopes.has(scope) && operator !== "Exists") {
    const why =
      "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
    errors.push(cause.invalid(`${path}.operator`, operator ?? "", why));
  }
  validateOperator(operator, stringsOf(values), path, errors);
}

function validateOperator(
  operator: unknown,
  values: readonly string[],
  path: string,
  errors: FieldErrors,
): void {
  switch (operator) {
    case "In":
    case "NotIn":
      if (values.length === 0) {
        const why =
          "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
        errors.push(cause.required(`${path}.values`, why));
      }
      break;
    case "Exists":
    case "DoesNotExist":
      if (values.length > 0) {
        const why =
          "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
        errors.push(cause.invalid(`${path}.values`, values, why));
      }
      break;
    default: {
      const why = "not a valid selector operator";
      errors.push(cause.invalid(`${path}.operator`, operator ?? "", why));
    }
  }
}
