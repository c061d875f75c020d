import { parseQuantity } from "@typekube/core/quantity";
import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import { isJsonObject, type JsonObject } from "../../../objects/json-value.js";
import { mapOf } from "../../../objects/parts.js";
import { isUnset, validateDnsLabel } from "../../../phases/validate/checks.js";
import { validateContainerResource } from "../../fields/resource-amounts.js";
import { validateFields } from "../../fields/validate-fields.js";
import { metricSources } from "../../workloads/metric-sources.js";

/** Appends the field errors of a metric and its target. */
export function validateMetric(metric: JsonObject, path: string, errors: FieldErrors): void {
  const type = String(metric["type"] ?? "");
  const key = metricSources[type];
  if (key === undefined) {
    if (type === "") {
      errors.push(cause.required(`${path}.type`, "must specify a metric source type"));
    }
    errors.push(cause.notSupported(`${path}.type`, type, Object.keys(metricSources).sort()));
    return;
  }
  const source = metric[key];
  if (!isJsonObject(source)) {
    const why = "must populate information for the given metric source";
    errors.push(cause.required(`${path}.${key}`, why));
  } else if (type === "Resource" || type === "ContainerResource") {
    validateResourceMetric(type, source, `${path}.${key}`, errors);
  } else {
    validateNamedMetric(type, source, `${path}.${key}`, errors);
  }
}

/** Checks a resource metric of pods or of one of their containers. */
function validateResourceMetric(
  type: string,
  { name, container, target }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const isOfContainer = type === "ContainerResource";
  if (isUnset(name)) {
    errors.push(cause.required(`${path}.name`, "must specify a resource name"));
  } else if (isOfContainer) {
    validateContainerResource(String(name), `${path}.name`, errors);
  }
  if (isOfContainer && isUnset(container)) {
    errors.push(cause.required(`${path}.container`, "must specify a container"));
  } else if (isOfContainer) {
    validateDnsLabel(container, `${path}.container`, errors);
  }
  validateTargetType(mapOf(target)["type"], `${path}.target.type`, errors);
  validateUtilization(mapOf(target), `${path}.target.averageUtilization`, errors);
}

function validateUtilization(
  { averageUtilization, averageValue }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  if (typeof averageUtilization === "number" && averageUtilization < 1) {
    errors.push(cause.invalid(path, averageUtilization, "must be greater than 0"));
  } else if (averageUtilization === undefined && averageValue === undefined) {
    const why = "must set either a target raw value or a target utilization";
    errors.push(cause.required(path, why));
  }
}

/** Messages for a target without a value, by metric type; metrics of type Pods are averages per pod. */
const noTarget: Readonly<Record<string, string>> = {
  External: "must set either a target value for metric or a per-pod target",
  Object: "must set either a target value or averageValue",
  Pods: "must specify a positive target averageValue",
};

/** Checks a metric that has a name of its own. */
function validateNamedMetric(
  type: string,
  source: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const target = mapOf(source["target"]);
  const metric = mapOf(source["metric"]);
  if (type === "Object") {
    validateFields("autoscaling/v2.ObjectMetricSource", source, path, errors);
  }
  validateFields("autoscaling/v2.MetricIdentifier", metric, `${path}.metric`, errors);
  validateTargetType(target["type"], `${path}.target.type`, errors);
  for (const key of ["value", "averageValue"]) {
    const amount = target[key];
    if (amount !== undefined && (parseQuantity(amount)?.nanos ?? 1n) <= 0n) {
      errors.push(cause.invalid(`${path}.target.${key}`, String(amount), "must be positive"));
    }
  }
  const { value, averageValue } = target;
  if (averageValue === undefined && (value === undefined || type === "Pods")) {
    errors.push(cause.required(`${path}.target.averageValue`, noTarget[type]));
  }
}

const targetTypes = ["Utilization", "Value", "AverageValue"];

function validateTargetType(type: unknown, path: string, errors: FieldErrors): void {
  if (isUnset(type)) {
    errors.push(cause.required(path, "must specify a metric target type"));
  }
  if (!targetTypes.includes(String(type))) {
    const why = "must be either Utilization, Value, or AverageValue";
    errors.push(cause.invalid(path, type ?? "", why));
  }
}
