import { getPath, isJsonObject, type JsonObject, omitKeys } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";

/**
 * A HorizontalPodAutoscaler in the shape of another version: v1 knows one target, the use of the CPU, and v2 a list of
 * metrics. It is the one stable kind whose versions differ. What v1 has no place for is left out; real servers keep it
 * in annotations there.
 */
export function convertAutoscaler(object: ApiObject, apiVersion: string): JsonObject {
  const spec = isJsonObject(object["spec"]) ? object["spec"] : {};
  const status = isJsonObject(object["status"]) ? object["status"] : undefined;
  const isToV1 = apiVersion === "autoscaling/v1";
  return {
    ...object,
    spec: isToV1 ? specToV1(spec) : specToV2(spec),
    ...(status === undefined ? {} : { status: isToV1 ? statusToV1(status) : statusToV2(status) }),
  };
}

function specToV1(spec: JsonObject): JsonObject {
  const metrics = Array.isArray(spec["metrics"]) ? (spec["metrics"] as unknown[]) : [];
  const cpu = metrics.find((metric) => getPath(metric, "resource", "name") === "cpu");
  const target = getPath(cpu, "resource", "target", "averageUtilization");
  return {
    ...omitKeys(spec, "metrics", "behavior"),
    ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }),
  };
}

function specToV2(spec: JsonObject): JsonObject {
  const { targetCPUUtilizationPercentage: averageUtilization } = spec;
  const target = { type: "Utilization", averageUtilization };
  return {
    ...omitKeys(spec, "targetCPUUtilizationPercentage"),
    ...(averageUtilization === undefined
      ? {}
      : { metrics: [{ type: "Resource", resource: { name: "cpu", target } }] }),
  };
}

function statusToV1(status: JsonObject): JsonObject {
  return { currentReplicas: 0, ...omitKeys(status, "currentMetrics", "conditions") };
}

function statusToV2(status: JsonObject): JsonObject {
  return { ...omitKeys(status, "currentCPUUtilizationPercentage"), currentMetrics: null };
}
