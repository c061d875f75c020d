import { parseQuantity } from "@typekube/core/quantity";
import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { pathSegmentTexts } from "../../phases/validate/metadata.js";
import {
  countOrPercent,
  dnsLabel,
  givenOneOf,
  notNegative,
} from "../../phases/validate/old-checks.js";
import { validateContainerResource } from "../fields/resource-amounts.js";
import { validateSelector } from "../fields/selectors.js";
import { metricSources } from "../workloads/metric-sources.js";
import { convertAutoscaler } from "./autoscaler-versions.js";

/** Returns the field errors of a HorizontalPodAutoscaler, in its v2 form. */
export function validateAutoscaler(autoscaler: ApiObject): FieldErrors {
  const isOld = autoscaler.apiVersion === "autoscaling/v1";
  const spec = specOf(isOld ? convertAutoscaler(autoscaler, "autoscaling/v2") : autoscaler);
  const { minReplicas, maxReplicas } = spec;
  const { kind, name, apiVersion } = mapOf(spec["scaleTargetRef"]);
  const metrics = objectsOf(spec["metrics"]);
  const canSleep = metrics.some(({ type }) => type === "Object" || type === "External");
  return [
    ...notNegative("spec.minReplicas", minReplicas),
    ...(Number(maxReplicas ?? 0) < Number(minReplicas ?? 0)
      ? [
          cause.invalid(
            "spec.maxReplicas",
            maxReplicas ?? 0,
            "must be greater than or equal to `minReplicas`",
          ),
        ]
      : []),
    ...segmentName("spec.scaleTargetRef.kind", kind),
    ...segmentName("spec.scaleTargetRef.name", name),
    ...validateGroup(kind, apiVersion),
    ...(Number(maxReplicas ?? 0) < 0
      ? [cause.invalid("spec.maxReplicas", maxReplicas, "must be greater than or equal to 1")]
      : []),
    ...((maxReplicas ?? 0) === 0 ? [cause.required("spec.maxReplicas")] : []),
    ...metrics.flatMap((metric, at) => validateMetric(metric, `spec.metrics[${at}]`)),
    ...["scaleUp", "scaleDown"].flatMap((key) =>
      validateBehavior(mapOf(spec["behavior"])[key], `spec.behavior.${key}`),
    ),
    ...(minReplicas === 0 && !canSleep && metrics.length > 0
      ? [
          cause.forbidden(
            "spec.metrics",
            "must specify at least one Object or External metric to support scaling to zero replicas",
          ),
        ]
      : []),
  ];
}

/** Checks a required name that is used as a path segment. */
function segmentName(field: string, name: unknown, missing?: string): FieldErrors {
  return isUnset(name)
    ? [cause.required(field, missing)]
    : pathSegmentTexts(String(name)).map((why) => cause.invalid(field, name, why));
}

/** Checks that a scale target has an API group, unless it is a ReplicationController. */
function validateGroup(kind: unknown, apiVersion: unknown): FieldErrors {
  const given = String(apiVersion ?? "");
  const slashes = given.split("/").length - 1;
  const field = "spec.scaleTargetRef.apiVersion";
  if (kind === "ReplicationController" || slashes === 1) {
    return [];
  }
  return slashes > 1
    ? [cause.invalid(field, given, `unexpected GroupVersion string: ${given}`)]
    : [cause.invalid(field, given, "apiVersion must specify API group")];
}

function validateMetric(metric: JsonObject, field: string): FieldErrors {
  const type = String(metric["type"] ?? "");
  const holder = metricSources[type];
  if (holder === undefined) {
    return [
      ...(type === ""
        ? [cause.required(`${field}.type`, "must specify a metric source type")]
        : []),
      cause.notSupported(`${field}.type`, type, Object.keys(metricSources).sort()),
    ];
  }
  const source = metric[holder];
  if (!isJsonObject(source)) {
    return [
      cause.required(`${field}.${holder}`, "must populate information for the given metric source"),
    ];
  }
  const target = `${field}.${holder}.target`;
  const kinds = validateTargetType(mapOf(source["target"])["type"], `${target}.type`);
  return type === "Resource" || type === "ContainerResource"
    ? [
        ...validateResourceMetric(type, source, `${field}.${holder}`),
        ...kinds,
        ...validateTarget(mapOf(source["target"]), target),
      ]
    : validateNamedMetric(type, source, `${field}.${holder}`, kinds);
}

const targetTypes = ["Utilization", "Value", "AverageValue"];

function validateTargetType(type: unknown, field: string): FieldErrors {
  return [
    ...(isUnset(type) ? [cause.required(field, "must specify a metric target type")] : []),
    ...(targetTypes.includes(String(type))
      ? []
      : [cause.invalid(field, type ?? "", "must be either Utilization, Value, or AverageValue")]),
  ];
}

/** Messages for a target without a value, by metric type; metrics of type Pods are averages per pod. */
const noTarget: Readonly<Record<string, string>> = {
  External: "must set either a target value for metric or a per-pod target",
  Object: "must set either a target value or averageValue",
  Pods: "must specify a positive target averageValue",
};

/** Returns the field errors of a resource metric of pods or of one of their containers. */
function validateResourceMetric(
  type: string,
  { name, container }: JsonObject,
  field: string,
): FieldErrors {
  const isOfContainer = type === "ContainerResource";
  return [
    ...(isUnset(name)
      ? [cause.required(`${field}.name`, "must specify a resource name")]
      : isOfContainer
        ? validateContainerResource(String(name), `${field}.name`)
        : []),
    ...(isOfContainer
      ? isUnset(container)
        ? [cause.required(`${field}.container`, "must specify a container")]
        : dnsLabel(`${field}.container`, container)
      : []),
  ];
}

function validateNamedMetric(
  type: string,
  source: JsonObject,
  field: string,
  kinds: FieldErrors,
): FieldErrors {
  const { value, averageValue } = mapOf(source["target"]);
  const described = mapOf(source["describedObject"]);
  return [
    ...(type === "Object"
      ? [
          ...segmentName(`${field}.describedObject.kind`, described["kind"]),
          ...segmentName(`${field}.describedObject.name`, described["name"]),
        ]
      : []),
    ...segmentName(
      `${field}.metric.name`,
      mapOf(source["metric"])["name"],
      "must specify a metric name",
    ),
    ...kinds,
    ...["value", "averageValue"].flatMap((key) => {
      const amount = mapOf(source["target"])[key];
      return amount !== undefined && (parseQuantity(amount)?.nanos ?? 1n) <= 0n
        ? [cause.invalid(`${field}.target.${key}`, String(amount), "must be positive")]
        : [];
    }),
    ...(averageValue === undefined && (value === undefined || type === "Pods")
      ? [cause.required(`${field}.target.averageValue`, noTarget[type])]
      : []),
  ];
}

const maxWindowSeconds = 3_600;
const maxPeriodSeconds = 1_800;

function validateBehavior(rules: unknown, field: string): FieldErrors {
  if (!isJsonObject(rules)) {
    return [];
  }
  const { stabilizationWindowSeconds, selectPolicy, policies } = rules;
  const given = objectsOf(policies);
  return [
    ...validateBound(
      stabilizationWindowSeconds,
      0,
      maxWindowSeconds,
      `${field}.stabilizationWindowSeconds`,
    ),
    ...givenOneOf(`${field}.selectPolicy`, selectPolicy, ["Disabled", "Max", "Min"]),
    ...(given.length === 0
      ? [cause.required(`${field}.policies`, "must specify at least one Policy")]
      : []),
    ...given.flatMap(({ type, value, periodSeconds }, at) => [
      ...givenOneOf(`${field}.policies[${at}].type`, type ?? "", ["Percent", "Pods"]),
      ...validateBound(value ?? 0, 1, undefined, `${field}.policies[${at}].value`),
      ...validateBound(
        periodSeconds ?? 0,
        1,
        maxPeriodSeconds,
        `${field}.policies[${at}].periodSeconds`,
      ),
    ]),
  ];
}

function validateBound(
  value: unknown,
  least: 0 | 1,
  most: number | undefined,
  field: string,
): FieldErrors {
  if (typeof value !== "number") {
    return [];
  }
  if (value < least) {
    const why = `must be greater than ${least === 1 ? "" : "or equal to "}zero`;
    return [cause.invalid(field, value, why)];
  }
  return most !== undefined && value > most
    ? [cause.invalid(field, value, `must be less than or equal to ${most}`)]
    : [];
}

function validateTarget(target: JsonObject, field: string): FieldErrors {
  const { averageUtilization, averageValue } = target;
  if (typeof averageUtilization === "number" && averageUtilization < 1) {
    const why = "must be greater than 0";
    return [cause.invalid(`${field}.averageUtilization`, averageUtilization, why)];
  }
  return averageUtilization === undefined && averageValue === undefined
    ? [
        cause.required(
          `${field}.averageUtilization`,
          "must set either a target raw value or a target utilization",
        ),
      ]
    : [];
}

/** Returns the field errors of a PodDisruptionBudget. */
export function validateBudget(budget: ApiObject): FieldErrors {
  const spec = specOf(budget);
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = spec;
  const shown = {
    MinAvailable: minAvailable,
    Selector: selector ?? null,
    MaxUnavailable: maxUnavailable,
    UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy ?? null,
  };
  return [
    ...(minAvailable !== undefined && maxUnavailable !== undefined
      ? [cause.invalid("spec", shown, "minAvailable and maxUnavailable cannot be both set")]
      : []),
    ...countOrPercent("spec.minAvailable", minAvailable, 100),
    ...countOrPercent("spec.maxUnavailable", maxUnavailable, 100),
    ...validateSelector(selector, "spec.selector"),
    ...givenOneOf("spec.unhealthyPodEvictionPolicy", unhealthyPodEvictionPolicy, [
      "AlwaysAllow",
      "IfHealthyBudget",
    ]),
  ];
}
