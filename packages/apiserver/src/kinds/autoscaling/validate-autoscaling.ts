import { parseQuantity } from "@typekube/core/quantity";
import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import {
  appendInvalid,
  isUnset,
  validateCountOrPercent,
  validateDnsLabel,
  validateGivenOneOf,
  validateItems,
  validateNotNegative,
} from "../../phases/validate/checks.js";
import { pathSegmentTexts } from "../../phases/validate/name-texts.js";
import { validateContainerResource } from "../fields/resource-amounts.js";
import { validateSelector } from "../fields/selectors.js";
import { metricSources } from "../workloads/metric-sources.js";
import { convertAutoscaler } from "./autoscaler-versions.js";

/** Appends the field errors of a HorizontalPodAutoscaler, in its v2 form. */
export function validateAutoscaler(autoscaler: ApiObject, errors: FieldErrors): void {
  const isOld = autoscaler.apiVersion === "autoscaling/v1";
  const spec = specOf(isOld ? convertAutoscaler(autoscaler, "autoscaling/v2") : autoscaler);
  const { minReplicas, maxReplicas } = spec;
  const { kind, name, apiVersion } = mapOf(spec["scaleTargetRef"]);
  const metrics = objectsOf(spec["metrics"]);
  const canSleep = metrics.some(({ type }) => type === "Object" || type === "External");
  validateNotNegative(minReplicas, "spec.minReplicas", errors);
  if (Number(maxReplicas ?? 0) < Number(minReplicas ?? 0)) {
    errors.push(
      cause.invalid(
        "spec.maxReplicas",
        maxReplicas ?? 0,
        "must be greater than or equal to `minReplicas`",
      ),
    );
  }
  validateSegmentName(kind, "spec.scaleTargetRef.kind", errors);
  validateSegmentName(name, "spec.scaleTargetRef.name", errors);
  validateGroup(kind, apiVersion, errors);
  if (Number(maxReplicas ?? 0) < 0) {
    errors.push(
      cause.invalid("spec.maxReplicas", maxReplicas, "must be greater than or equal to 1"),
    );
  }
  if ((maxReplicas ?? 0) === 0) {
    errors.push(cause.required("spec.maxReplicas"));
  }
  validateItems(metrics, validateMetric, "spec.metrics", errors);
  for (const key of ["scaleUp", "scaleDown"]) {
    validateBehavior(mapOf(spec["behavior"])[key], `spec.behavior.${key}`, errors);
  }
  if (minReplicas === 0 && !canSleep && metrics.length > 0) {
    errors.push(
      cause.forbidden(
        "spec.metrics",
        "must specify at least one Object or External metric to support scaling to zero replicas",
      ),
    );
  }
}

/** Checks a required name that is used as a path segment. */
function validateSegmentName(
  name: unknown,
  path: string,
  errors: FieldErrors,
  missing?: string,
): void {
  if (isUnset(name)) {
    errors.push(cause.required(path, missing));
  } else {
    appendInvalid(pathSegmentTexts(String(name)), name, path, errors);
  }
}

/** Checks that a scale target has an API group, unless it is a ReplicationController. */
function validateGroup(kind: unknown, apiVersion: unknown, errors: FieldErrors): void {
  const given = String(apiVersion ?? "");
  const slashes = given.split("/").length - 1;
  const field = "spec.scaleTargetRef.apiVersion";
  if (kind === "ReplicationController" || slashes === 1) {
    return;
  }
  if (slashes > 1) {
    errors.push(cause.invalid(field, given, `unexpected GroupVersion string: ${given}`));
  } else {
    errors.push(cause.invalid(field, given, "apiVersion must specify API group"));
  }
}

function validateMetric(metric: JsonObject, path: string, errors: FieldErrors): void {
  const type = String(metric["type"] ?? "");
  const holder = metricSources[type];
  if (holder === undefined) {
    if (type === "") {
      errors.push(cause.required(`${path}.type`, "must specify a metric source type"));
    }
    errors.push(cause.notSupported(`${path}.type`, type, Object.keys(metricSources).sort()));
    return;
  }
  const source = metric[holder];
  if (!isJsonObject(source)) {
    errors.push(
      cause.required(`${path}.${holder}`, "must populate information for the given metric source"),
    );
    return;
  }
  const target = `${path}.${holder}.target`;
  const kinds: FieldErrors = [];
  validateTargetType(mapOf(source["target"])["type"], `${target}.type`, kinds);
  if (type === "Resource" || type === "ContainerResource") {
    validateResourceMetric(type, source, `${path}.${holder}`, errors);
    errors.push(...kinds);
    validateTarget(mapOf(source["target"]), target, errors);
  } else {
    validateNamedMetric(type, source, `${path}.${holder}`, errors, kinds);
  }
}

const targetTypes = ["Utilization", "Value", "AverageValue"];

function validateTargetType(type: unknown, path: string, errors: FieldErrors): void {
  if (isUnset(type)) {
    errors.push(cause.required(path, "must specify a metric target type"));
  }
  if (!targetTypes.includes(String(type))) {
    errors.push(
      cause.invalid(path, type ?? "", "must be either Utilization, Value, or AverageValue"),
    );
  }
}

/** Messages for a target without a value, by metric type; metrics of type Pods are averages per pod. */
const noTarget: Readonly<Record<string, string>> = {
  External: "must set either a target value for metric or a per-pod target",
  Object: "must set either a target value or averageValue",
  Pods: "must specify a positive target averageValue",
};

/** Appends the field errors of a resource metric of pods or of one of their containers. */
function validateResourceMetric(
  type: string,
  { name, container }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const isOfContainer = type === "ContainerResource";
  if (isUnset(name)) {
    errors.push(cause.required(`${path}.name`, "must specify a resource name"));
  } else if (isOfContainer) {
    validateContainerResource(String(name), `${path}.name`, errors);
  }
  if (isOfContainer) {
    if (isUnset(container)) {
      errors.push(cause.required(`${path}.container`, "must specify a container"));
    } else {
      validateDnsLabel(container, `${path}.container`, errors);
    }
  }
}

function validateNamedMetric(
  type: string,
  source: JsonObject,
  path: string,
  errors: FieldErrors,
  kinds: FieldErrors,
): void {
  const { value, averageValue } = mapOf(source["target"]);
  const described = mapOf(source["describedObject"]);
  if (type === "Object") {
    validateSegmentName(described["kind"], `${path}.describedObject.kind`, errors);
    validateSegmentName(described["name"], `${path}.describedObject.name`, errors);
  }
  validateSegmentName(
    mapOf(source["metric"])["name"],
    `${path}.metric.name`,
    errors,
    "must specify a metric name",
  );
  errors.push(...kinds);
  for (const key of ["value", "averageValue"]) {
    const amount = mapOf(source["target"])[key];
    if (amount !== undefined && (parseQuantity(amount)?.nanos ?? 1n) <= 0n) {
      errors.push(cause.invalid(`${path}.target.${key}`, String(amount), "must be positive"));
    }
  }
  if (averageValue === undefined && (value === undefined || type === "Pods")) {
    errors.push(cause.required(`${path}.target.averageValue`, noTarget[type]));
  }
}

const maxWindowSeconds = 3_600;
const maxPeriodSeconds = 1_800;

function validateBehavior(rules: unknown, path: string, errors: FieldErrors): void {
  if (!isJsonObject(rules)) {
    return;
  }
  const { stabilizationWindowSeconds, selectPolicy, policies } = rules;
  const given = objectsOf(policies);
  validateBound(
    stabilizationWindowSeconds,
    0,
    maxWindowSeconds,
    `${path}.stabilizationWindowSeconds`,
    errors,
  );
  validateGivenOneOf(selectPolicy, ["Disabled", "Max", "Min"], `${path}.selectPolicy`, errors);
  if (given.length === 0) {
    errors.push(cause.required(`${path}.policies`, "must specify at least one Policy"));
  }
  for (const [at, { type, value, periodSeconds }] of given.entries()) {
    validateGivenOneOf(type ?? "", ["Percent", "Pods"], `${path}.policies[${at}].type`, errors);
    validateBound(value ?? 0, 1, undefined, `${path}.policies[${at}].value`, errors);
    validateBound(
      periodSeconds ?? 0,
      1,
      maxPeriodSeconds,
      `${path}.policies[${at}].periodSeconds`,
      errors,
    );
  }
}

function validateBound(
  value: unknown,
  least: 0 | 1,
  most: number | undefined,
  path: string,
  errors: FieldErrors,
): void {
  if (typeof value !== "number") {
    return;
  }
  if (value < least) {
    const why = `must be greater than ${least === 1 ? "" : "or equal to "}zero`;
    errors.push(cause.invalid(path, value, why));
    return;
  }
  if (most !== undefined && value > most) {
    errors.push(cause.invalid(path, value, `must be less than or equal to ${most}`));
  }
}

function validateTarget(target: JsonObject, path: string, errors: FieldErrors): void {
  const { averageUtilization, averageValue } = target;
  if (typeof averageUtilization === "number" && averageUtilization < 1) {
    const why = "must be greater than 0";
    errors.push(cause.invalid(`${path}.averageUtilization`, averageUtilization, why));
    return;
  }
  if (averageUtilization === undefined && averageValue === undefined) {
    errors.push(
      cause.required(
        `${path}.averageUtilization`,
        "must set either a target raw value or a target utilization",
      ),
    );
  }
}

/** Appends the field errors of a PodDisruptionBudget. */
export function validateBudget(budget: ApiObject, errors: FieldErrors): void {
  const spec = specOf(budget);
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = spec;
  const shown = {
    MinAvailable: minAvailable,
    Selector: selector ?? null,
    MaxUnavailable: maxUnavailable,
    UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy ?? null,
  };
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    errors.push(cause.invalid("spec", shown, "minAvailable and maxUnavailable cannot be both set"));
  }
  validateCountOrPercent(minAvailable, "spec.minAvailable", errors, 100);
  validateCountOrPercent(maxUnavailable, "spec.maxUnavailable", errors, 100);
  validateSelector(selector, "spec.selector", errors);
  validateGivenOneOf(
    unhealthyPodEvictionPolicy,
    ["AlwaysAllow", "IfHealthyBudget"],
    "spec.unhealthyPodEvictionPolicy",
    errors,
  );
}
