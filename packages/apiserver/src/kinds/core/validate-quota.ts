import { formatQuantity, parseQuantity } from "@typekube/core/quantity";
import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { validateResourceName } from "../fields/resource-amounts.js";

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

/** Returns the field errors of a ResourceQuota. */
export function validateQuota(quota: ApiObject): FieldErrors {
  const spec = specOf(quota);
  const hard = mapOf(spec["hard"]);
  return [
    ...Object.keys(hard).flatMap((name) => validateAmount(name, hard[name], `spec.hard[${name}]`)),
    ...validateScopes(stringsOf(spec["scopes"]), hard),
    ...objectsOf(mapOf(spec["scopeSelector"])["matchExpressions"]).flatMap((one) =>
      validateRequirement(one, "spec.scopeSelector.matchExpressions"),
    ),
  ];
}

function validateAmount(name: string, amount: unknown, field: string): FieldErrors {
  const isStandard = standard.has(name) || /^(requests\.)?hugepages-/.test(name);
  const isOwn = name.includes("/");
  const quantity = parseQuantity(amount);
  const nanos = quantity?.nanos ?? 0n;
  const shown = quantity === undefined ? amount : formatQuantity(quantity);
  return [
    ...validateResourceName(name, field, isStandard || isOwn || name === "storage"),
    ...(isStandard || isOwn
      ? []
      : [cause.invalid(field, name, "must be a standard resource for quota")]),
    ...(nanos < 0n ? [cause.invalid(field, shown, "must be greater than or equal to 0")] : []),
    ...((counted.has(name) || isOwn) && nanos % nano !== 0n
      ? [cause.invalid(field, shown, "must be an integer")]
      : []),
  ];
}

function validateScopes(given: readonly string[], hard: JsonObject): FieldErrors {
  const invalid = (why: string) => cause.invalid("spec.scopes", given, why);
  return [
    ...given.flatMap((scope) => [
      ...(scopes.has(scope) ? [] : [invalid("unsupported scope")]),
      ...Object.keys(hard)
        .filter((name) => standard.has(name) && !isInScope(scope, name))
        .map(() => invalid("unsupported scope applied to resource")),
    ]),
    ...opposites
      .filter((pair) => pair.every((scope) => given.includes(scope)))
      .map(() => invalid("conflicting scopes")),
  ];
}

function isInScope(scope: string, name: string): boolean {
  if (scope === "BestEffort") {
    return name === "pods";
  }
  return plainScopes.has(scope) || scope === "PriorityClass" ? podResources.has(name) : true;
}

function validateRequirement(
  { scopeName, operator, values }: JsonObject,
  field: string,
): FieldErrors {
  const given = stringsOf(values);
  return [
    ...(scopes.has(String(scopeName))
      ? []
      : [cause.invalid(`${field}.scopeName`, scopeName ?? "", "unsupported scope")]),
    ...(plainScopes.has(String(scopeName)) && operator !== "Exists"
      ? [
          cause.invalid(
            `${field}.operator`,
            operator ?? "",
            "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
          ),
        ]
      : []),
    ...validateOperator(operator, given, field),
  ];
}

function validateOperator(
  operator: unknown,
  values: readonly string[],
  field: string,
): FieldErrors {
  switch (operator) {
    case "In":
    case "NotIn":
      return values.length > 0
        ? []
        : [
            cause.required(
              `${field}.values`,
              "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
            ),
          ];
    case "Exists":
    case "DoesNotExist":
      return values.length === 0
        ? []
        : [
            cause.invalid(
              `${field}.values`,
              values,
              "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
            ),
          ];
    default:
      return [cause.invalid(`${field}.operator`, operator ?? "", "not a valid selector operator")];
  }
}
