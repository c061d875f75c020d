import type { JsonObject } from "../../../objects/json-value.js";
import { mapOf, objectsOf } from "../../../objects/parts.js";
import { metricSources } from "../../workloads/metric-sources.js";

/** Kind of metric value: the target or the current value. Field names of both versions contain it. */
type MetricPart = "current" | "target";

/** Converts a metric of autoscaling/v2 to the names of v1. */
export function oldMetric(metric: JsonObject, part: MetricPart): JsonObject {
  return withSource(metric, (type, source) => oldSource(type, source, part));
}

/** Converts a metric of autoscaling/v1 to the names of v2. */
export function newMetric(metric: JsonObject, part: MetricPart): JsonObject {
  return withSource(metric, (type, source) => newSource(type, source, part));
}

function withSource(
  metric: JsonObject,
  convert: (type: string, source: JsonObject) => JsonObject,
): JsonObject {
  const type = String(metric["type"] ?? "");
  const field = metricSources[type];
  return field === undefined ? { type } : { type, [field]: convert(type, mapOf(metric[field])) };
}

function oldSource(type: string, source: JsonObject, part: MetricPart): JsonObject {
  const { name, container, describedObject } = source;
  const { name: metricName, selector } = mapOf(source["metric"]);
  const { value, averageValue, averageUtilization } = mapOf(source[part]);
  switch (type) {
    case "Object":
      return present({
        target: describedObject,
        metricName,
        // v1 always writes this value, even if the other one is used.
        [`${part}Value`]: value ?? "0",
        selector,
        averageValue,
      });
    case "Pods":
      return present({ metricName, [`${part}AverageValue`]: averageValue, selector });
    case "External":
      return present({
        metricName,
        metricSelector: selector,
        [`${part}Value`]: value,
        [`${part}AverageValue`]: averageValue,
      });
    default:
      return present({
        name,
        [`${part}AverageUtilization`]: averageUtilization,
        [`${part}AverageValue`]: averageValue,
        container,
      });
  }
}

function newSource(type: string, source: JsonObject, part: MetricPart): JsonObject {
  const { name, container, metricName, selector, metricSelector, target, averageValue } = source;
  const amount = (word: string) => source[`${part}${word}`];
  switch (type) {
    case "Object":
      return {
        describedObject: target,
        metric: present({ name: metricName, selector }),
        [part]: measure(
          part,
          averageValue === undefined ? { value: amount("Value") } : { averageValue },
        ),
      };
    case "Pods":
      return {
        metric: present({ name: metricName, selector }),
        [part]: measure(part, { averageValue: amount("AverageValue") }),
      };
    case "External":
      return {
        metric: present({ name: metricName, selector: metricSelector }),
        [part]: measure(part, { value: amount("Value"), averageValue: amount("AverageValue") }),
      };
    default:
      return present({
        name,
        [part]: measure(part, {
          averageUtilization: amount("AverageUtilization"),
          averageValue: amount("AverageValue"),
        }),
        container,
      });
  }
}

/** Returns the values of a metric; for a v2 target with the type that selects one of them. */
function measure(part: MetricPart, amounts: JsonObject): JsonObject {
  return part === "current" ? present(amounts) : present({ type: targetType(amounts), ...amounts });
}

function targetType({ averageUtilization, averageValue }: JsonObject): string {
  if (averageUtilization !== undefined) {
    return "Utilization";
  }
  return averageValue === undefined ? "Value" : "AverageValue";
}

/** Converts scaling behavior to the form in which v1 carries it: with Go field names and without omissions. */
export function oldBehavior({ scaleUp, scaleDown }: JsonObject): JsonObject {
  return { ScaleUp: oldRules(scaleUp), ScaleDown: oldRules(scaleDown) };
}

function oldRules(rules: unknown): JsonObject | null {
  if (rules === undefined || rules === null) {
    return null;
  }
  const { stabilizationWindowSeconds, selectPolicy, policies, tolerance } = mapOf(rules);
  return {
    StabilizationWindowSeconds: stabilizationWindowSeconds ?? null,
    SelectPolicy: selectPolicy ?? null,
    Policies:
      policies === undefined
        ? null
        : objectsOf(policies).map(({ type, value, periodSeconds }) => ({
            Type: type,
            Value: value,
            PeriodSeconds: periodSeconds,
          })),
    Tolerance: tolerance ?? null,
  };
}

/** Converts scaling behavior to v2. */
export function newBehavior(behavior: JsonObject): JsonObject {
  return lowered(behavior) as JsonObject;
}

/** Converts Go field names to JSON names and drops nulls. */
function lowered(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(lowered);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([name, inner]) => [`${name.charAt(0).toLowerCase()}${name.slice(1)}`, lowered(inner)]),
  );
}

function present(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
