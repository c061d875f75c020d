import { canonicalQuantity } from "../../objects/canonical-quantity.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { none } from "../../response/table/cell-text.js";
import { metricSources } from "./metric-sources.js";

const unknown = "<unknown>";
/** Maximum number of metrics to show; further ones are only counted. */
const maxShown = 2;

/** Formats the current and target metrics of an autoscaler: `cpu: 40%/80%`. */
export function metricsText(autoscaler: JsonObject): string {
  const spec = specOf(autoscaler);
  const status = mapOf(autoscaler["status"]);
  const metrics = objectsOf(spec["metrics"]);
  const seen = objectsOf(status["currentMetrics"]);
  if (metrics.length === 0) {
    return cpuText(
      spec["targetCPUUtilizationPercentage"],
      status["currentCPUUtilizationPercentage"],
    );
  }
  const shown = metrics.map((metric, at) => metricText(metric, seen[at] ?? {}));
  const more = shown.length > maxShown ? ` + ${shown.length - maxShown} more...` : "";
  return `${shown.slice(0, maxShown).join(", ")}${more}`;
}

/** Formats the CPU utilization, the only metric of autoscaling/v1. */
function cpuText(wanted: unknown, now: unknown): string {
  return wanted === undefined
    ? none
    : `cpu: ${now === undefined ? unknown : `${String(now)}%`}/${String(wanted)}%`;
}

function metricText(metric: JsonObject, seen: JsonObject): string {
  const type = String(metric["type"]);
  const holder = metricSources[type] ?? "";
  const wanted = mapOf(metric[holder]);
  const target = mapOf(wanted["target"]);
  const current = mapOf(mapOf(seen[holder])["current"]);
  const prefix =
    type === "Resource" || type === "ContainerResource" ? `${String(wanted["name"])}: ` : "";
  if (target["averageUtilization"] !== undefined) {
    const now = current["averageUtilization"];
    return `${prefix}${now === undefined ? unknown : `${String(now)}%`}/${String(target["averageUtilization"])}%`;
  }
  const isAverage = target["averageValue"] !== undefined;
  const field = isAverage ? "averageValue" : "value";
  const now = current[field] === undefined ? unknown : String(canonicalQuantity(current[field]));
  const suffix = isAverage && (type === "Object" || type === "External") ? " (avg)" : "";
  return `${prefix}${now}/${String(target[field])}${suffix}`;
}
