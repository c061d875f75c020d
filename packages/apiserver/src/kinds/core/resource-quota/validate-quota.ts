import { formatQuantity, parseQuantity } from "@typekube/core/quantity";
import type { FieldErrors } from "../../../errors/field-errors.js";
import { cause } from "../../../errors/status-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, stringsOf } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";
import { validateResourceName } from "../../fields/resource-amounts.js";

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
const nano = 1_000_000_000n;

/** Appends the field errors of a ResourceQuota. */
export function validateQuota(quota: ApiObject, errors: FieldErrors): void {
  const spec = specOf(quota);
  const hard = mapOf(spec["hard"]);
  for (const name of Object.keys(hard)) {
    validateAmount(name, hard[name], `spec.hard[${name}]`, errors);
  }
  validateScopes(stringsOf(spec["scopes"]), hard, errors);
  for (const one of objectsOf(mapOf(spec["scopeSelector"])["matchExpressions"])) {
    validateRequirement(one, "spec.scopeSelector.matchExpressions", errors);
  }
}

function validateAmount(name: string, amount: unknown, path: string, errors: FieldErrors): void {
  const isStandard = standard.has(name) || /^(requests\.)?hugepages-/.test(name);
  const isOwn = name.includes("/");
  const quantity = parseQuantity(amount);
  const nanos = quantity?.nanos ?? 0n;
  const shown = quantity === undefined ? amount : formatQuantity(quantity);
  validateResourceName(name, path, errors, isStandard || isOwn || name === "storage");
  if (!isStandard && !isOwn) {
    errors.push(cause.invalid(path, name, "must be a standard resource for quota"));
  }
  if (nanos < 0n) {
    errors.push(cause.invalid(path, shown, "must be greater than or equal to 0"));
  }
  if ((counted.has(name) || isOwn) && nanos % nano !== 0n) {
    errors.push(cause.invalid(path, shown, "must be an integer"));
  }
}

function validateScopes(given: readonly string[], hard: JsonObject, errors: FieldErrors): void {
  const invalid = (why: string) => cause.invalid("spec.scopes", given, why);
  for (const scope of given) {
    if (!scopes.has(scope)) {
      errors.push(invalid("unsupported scope"));
    }
    errors.push(
      ...Object.keys(hard)
        .filter((name) => standard.has(name) && !isInScope(scope, name))
        .map(() => invalid("unsupported scope applied to resource")),
    );
  }
  errors.push(
    ...opposites
      .filter((pair) => pair.every((scope) => given.includes(scope)))
      .map(() => invalid("conflicting scopes")),
  );
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
  const given = stringsOf(values);
  if (!scopes.has(String(scopeName))) {
    errors.push(cause.invalid(`${path}.scopeName`, scopeName ?? "", "unsupported scope"));
  }
  if (plainScopes.has(String(scopeName)) && operator !== "Exists") {
    errors.push(
      cause.invalid(
        `${path}.operator`,
        operator ?? "",
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
      ),
    );
  }
  validateOperator(operator, given, path, errors);
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
        errors.push(
          cause.required(
            `${path}.values`,
            "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
          ),
        );
      }
      break;
    case "Exists":
    case "DoesNotExist":
      if (values.length !== 0) {
        errors.push(
          cause.invalid(
            `${path}.values`,
            values,
            "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
          ),
        );
      }
      break;
    default:
      errors.push(
        cause.invalid(`${path}.operator`, operator ?? "", "not a valid selector operator"),
      );
  }
}
