import { type ApiObject, normalized, type ObjectMetadata } from "../../../objects/api-object.js";
import { getPath, isJsonObject, type JsonObject, omitKeys } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";
import { newBehavior, newMetric, oldBehavior, oldMetric } from "./metric-names.js";

/** Annotations in which autoscaling/v1 carries data without fields in v1. Only conversions write them. */
const carriers = {
  metrics: "autoscaling.alpha.kubernetes.io/metrics",
  currentMetrics: "autoscaling.alpha.kubernetes.io/current-metrics",
  conditions: "autoscaling.alpha.kubernetes.io/conditions",
  behavior: "autoscaling.alpha.kubernetes.io/behavior",
};

/**
 * Converts a HorizontalPodAutoscaler to its other version: v1 has one target, the CPU utilization, v2 a list of
 * metrics. Data without fields in v1 is carried in annotations (`pkg/apis/autoscaling/v1/conversion.go`).
 */
export function convertAutoscaler(autoscaler: ApiObject, apiVersion: string): ApiObject {
  return normalized(apiVersion === "autoscaling/v1" ? toV1(autoscaler) : toV2(autoscaler));
}

function toV1(autoscaler: ApiObject): ApiObject {
  const { metrics, behavior, ...spec } = specOf(autoscaler);
  const { currentMetrics, conditions, ...status } = mapOf(autoscaler["status"]);
  const targets = objectsOf(metrics);
  const seen = objectsOf(currentMetrics);
  const others = targets.filter((metric) => utilizationOf(metric, "target") === undefined);
  return {
    ...autoscaler,
    metadata: withAnnotations(autoscaler, {
      ...carried(
        carriers.metrics,
        others.map((metric) => oldMetric(metric, "target")),
      ),
      ...carried(
        carriers.currentMetrics,
        seen.map((metric) => oldMetric(metric, "current")),
      ),
      ...carried(carriers.conditions, objectsOf(conditions)),
      ...(isJsonObject(behavior)
        ? { [carriers.behavior]: JSON.stringify(oldBehavior(behavior)) }
        : {}),
    }),
    spec: {
      ...spec,
      ...utilization("targetCPUUtilizationPercentage", firstUtilization(targets, "target")),
    },
    ...(isJsonObject(autoscaler["status"])
      ? {
          status: {
            currentReplicas: 0,
            ...status,
            ...utilization("currentCPUUtilizationPercentage", firstUtilization(seen, "current")),
          },
        }
      : {}),
  };
}

function toV2(autoscaler: ApiObject): ApiObject {
  const { targetCPUUtilizationPercentage: target, ...spec } = specOf(autoscaler);
  const { currentCPUUtilizationPercentage: current, ...status } = mapOf(autoscaler["status"]);
  const others = listIn(autoscaler, carriers.metrics).map((one) => newMetric(one, "target"));
  const seen = listIn(autoscaler, carriers.currentMetrics).map((one) => newMetric(one, "current"));
  const known = seen.length > 0 ? seen : cpuMetrics(current, "current");
  const conditions = listIn(autoscaler, carriers.conditions);
  const behavior = newBehavior(mapOf(readCarried(autoscaler, carriers.behavior)));
  return {
    ...autoscaler,
    metadata: withAnnotations(autoscaler, {}),
    spec: {
      ...spec,
      metrics: [...others, ...cpuMetrics(target, "target")],
      ...(Object.keys(behavior).length > 0 ? { behavior } : {}),
    },
    ...(isJsonObject(autoscaler["status"])
      ? {
          status: {
            ...(status["currentReplicas"] === 0 ? omitKeys(status, "currentReplicas") : status),
            currentMetrics: known.length > 0 ? known : null,
            ...(conditions.length > 0 ? { conditions } : {}),
          },
        }
      : {}),
  };
}

/** Removes the annotations of conversions; returns the autoscaler itself if it has none. */
export function withoutCarried(autoscaler: ApiObject): ApiObject {
  const { annotations = {} } = autoscaler.metadata;
  return Object.values(carriers).some((annotation) => Object.hasOwn(annotations, annotation))
    ? { ...autoscaler, metadata: withAnnotations(autoscaler, {}) }
    : autoscaler;
}

/** Returns the CPU utilization of a metric in percent; `undefined` for other metrics. */
function utilizationOf(metric: JsonObject, part: "current" | "target"): unknown {
  return getPath(metric, "resource", "name") === "cpu"
    ? getPath(metric, "resource", part, "averageUtilization")
    : undefined;
}

function firstUtilization(metrics: readonly JsonObject[], part: "current" | "target"): unknown {
  return metrics
    .map((metric) => utilizationOf(metric, part))
    .find((percent) => percent !== undefined);
}

function utilization(field: string, percent: unknown): JsonObject {
  return percent === undefined ? {} : { [field]: percent };
}

function cpuMetrics(percent: unknown, part: "current" | "target"): JsonObject[] {
  const resource = { name: "cpu", [`${part}AverageUtilization`]: percent };
  return percent === undefined || percent === null
    ? []
    : [newMetric({ type: "Resource", resource }, part)];
}

/** Replaces the annotations of a conversion. */
function withAnnotations({ metadata }: ApiObject, added: Record<string, string>): ObjectMetadata {
  const own = omitKeys(metadata.annotations ?? {}, ...Object.values(carriers));
  return { ...metadata, annotations: { ...own, ...added } as Record<string, string> };
}

function carried(annotation: string, items: readonly JsonObject[]): Record<string, string> {
  return items.length > 0 ? { [annotation]: JSON.stringify(items) } : {};
}

function listIn(autoscaler: ApiObject, annotation: string): JsonObject[] {
  return objectsOf(readCarried(autoscaler, annotation));
}

/** Parses the data in an annotation; like real servers, null if unreadable. */
function readCarried({ metadata }: ApiObject, annotation: string): unknown {
  try {
    return JSON.parse(metadata.annotations?.[annotation] ?? "null");
  } catch {
    return null;
  }
}
