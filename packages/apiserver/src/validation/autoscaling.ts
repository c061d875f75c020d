import { mapOf, objectsOf, specOf } from "../kinds/parts.js";
import { cause } from "../response/status-errors.js";
import { isJsonObject, type JsonObject } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";
import { type Causes, countOrPercent, isUnset, notNegative, oneOf, required } from "./checks.js";

const holders: Readonly<Record<string, string>> = {
  ContainerResource: "containerResource",
  External: "external",
  Object: "object",
  Pods: "pods",
  Resource: "resource",
};

/** What is wrong with a HorizontalPodAutoscaler. */
export function autoscalerCauses(autoscaler: ApiObject): Causes {
  const spec = specOf(autoscaler);
  const { minReplicas, maxReplicas } = spec;
  const { kind, name, apiVersion } = mapOf(spec["scaleTargetRef"]);
  const metrics = objectsOf(spec["metrics"]);
  const canSleep = metrics.some(({ type }) => type === "Object" || type === "External");
  return [
    ...required("spec.scaleTargetRef.kind", kind),
    ...required("spec.scaleTargetRef.name", name),
    ...(isUnset(apiVersion) && (isUnset(kind) || isUnset(name))
      ? [
          cause.invalid(
            "spec.scaleTargetRef.apiVersion",
            apiVersion ?? "",
            "apiVersion must specify API group",
          ),
        ]
      : []),
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
    ...((maxReplicas ?? 0) === 0 ? [cause.required("spec.maxReplicas")] : []),
    ...metrics.flatMap((metric, at) => metricCauses(metric, `spec.metrics[${at}]`)),
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

function metricCauses(metric: JsonObject, field: string): Causes {
  const type = String(metric["type"] ?? "");
  const holder = holders[type];
  if (holder === undefined) {
    return isUnset(type)
      ? [cause.required(`${field}.type`)]
      : oneOf(`${field}.type`, type, Object.keys(holders));
  }
  const source = metric[holder];
  if (!isJsonObject(source)) {
    return [
      cause.required(`${field}.${holder}`, "must populate information for the given metric source"),
    ];
  }
  return type === "Resource"
    ? targetCauses(mapOf(source["target"]), `${field}.${holder}.target`)
    : [];
}

function targetCauses(target: JsonObject, field: string): Causes {
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

/** What is wrong with a PodDisruptionBudget. */
export function budgetCauses(budget: ApiObject): Causes {
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
    ...oneOf("spec.unhealthyPodEvictionPolicy", unhealthyPodEvictionPolicy, [
      "AlwaysAllow",
      "IfHealthyBudget",
    ]),
  ];
}
