import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { isJsonObject, type JsonObject } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";
import { validateItems } from "../../../phases/validate/checks.js";
import { validateFields } from "../../fields/validate-fields.js";
import { convertAutoscaler } from "./autoscaler-versions.js";
import { validateMetric } from "./validate-metric.js";

/** Appends the field errors of a HorizontalPodAutoscaler, in its v2 form. */
export function validateAutoscaler(autoscaler: ApiObject, errors: FieldErrors): void {
  const isOld = autoscaler.apiVersion === "autoscaling/v1";
  const spec = specOf(isOld ? convertAutoscaler(autoscaler, "autoscaling/v2") : autoscaler);
  const { minReplicas } = spec;
  const maxReplicas = spec["maxReplicas"] ?? 0;
  const { kind, apiVersion } = mapOf(spec["scaleTargetRef"]);
  const metrics = objectsOf(spec["metrics"]);
  if (Number(maxReplicas) < Number(minReplicas ?? 0)) {
    const why = "must be greater than or equal to `minReplicas`";
    errors.push(cause.invalid("spec.maxReplicas", maxReplicas, why));
  }
  validateFields("autoscaling/v2.HorizontalPodAutoscalerSpec", spec, "spec", errors);
  if (kind !== "ReplicationController") {
    validateGroup(String(apiVersion ?? ""), "spec.scaleTargetRef.apiVersion", errors);
  }
  validateItems(metrics, validateMetric, "spec.metrics", errors);
  const canSleep = metrics.some(({ type }) => type === "Object" || type === "External");
  if (minReplicas === 0 && !canSleep && metrics.length > 0) {
    const why =
      "must specify at least one Object or External metric to support scaling to zero replicas";
    errors.push(cause.forbidden("spec.metrics", why));
  }
  for (const key of ["scaleUp", "scaleDown"]) {
    validateScalingRules(mapOf(spec["behavior"])[key], `spec.behavior.${key}`, errors);
  }
}

/** Checks that the apiVersion of a scale target has a group. */
function validateGroup(apiVersion: string, path: string, errors: FieldErrors): void {
  const slashes = apiVersion.split("/").length - 1;
  if (slashes > 1) {
    const why = `unexpected GroupVersion string: ${apiVersion}`;
    errors.push(cause.invalid(path, apiVersion, why));
  } else if (slashes === 0) {
    errors.push(cause.invalid(path, apiVersion, "apiVersion must specify API group"));
  }
}

const maxWindowSeconds = 3_600;
const maxPeriodSeconds = 1_800;

function validateScalingRules(rules: unknown, path: string, errors: FieldErrors): void {
  if (!isJsonObject(rules)) {
    return;
  }
  const { stabilizationWindowSeconds: window } = rules;
  const policies = objectsOf(rules["policies"]);
  validateWithin(window, [0, maxWindowSeconds], `${path}.stabilizationWindowSeconds`, errors);
  validateFields("autoscaling/v2.HPAScalingRules", rules, path, errors);
  if (policies.length === 0) {
    errors.push(cause.required(`${path}.policies`, "must specify at least one Policy"));
  }
  validateItems(policies, validatePolicy, `${path}.policies`, errors);
}

function validatePolicy(policy: JsonObject, path: string, errors: FieldErrors): void {
  const { value, periodSeconds } = policy;
  validateFields("autoscaling/v2.HPAScalingPolicy", policy, path, errors);
  validateWithin(value ?? 0, [1], `${path}.value`, errors);
  validateWithin(periodSeconds ?? 0, [1, maxPeriodSeconds], `${path}.periodSeconds`, errors);
}

function validateWithin(
  value: unknown,
  [least, most = Number.POSITIVE_INFINITY]: readonly [least: 0 | 1, most?: number],
  path: string,
  errors: FieldErrors,
): void {
  if (typeof value === "number" && value < least) {
    const why = `must be greater than ${least === 1 ? "" : "or equal to "}zero`;
    errors.push(cause.invalid(path, value, why));
  } else if (typeof value === "number" && value > most) {
    errors.push(cause.invalid(path, value, `must be less than or equal to ${most}`));
  }
}
