import type { ApiObject } from "../../../objects/api-object.js";
import { objectsOf, specOf, withSpec } from "../../../objects/parts.js";
import { defaultMetrics } from "../../../phases/default/type-rules.js";
import { convertAutoscaler, withoutCarried } from "./autoscaler-versions.js";

/** Normalizes an autoscaler of either version before validation. */
export function withNormalVersion(autoscaler: ApiObject): ApiObject {
  return autoscaler.apiVersion === "autoscaling/v1"
    ? withNormalCarriers(autoscaler)
    : withoutCarried(autoscaler);
}

/** Adds default metrics to an autoscaling/v1 autoscaler and normalizes the annotations that carry its v2 fields. */
function withNormalCarriers(autoscaler: ApiObject): ApiObject {
  const newer = convertAutoscaler(autoscaler, "autoscaling/v2");
  const hasMetrics = objectsOf(specOf(newer)["metrics"]).length > 0;
  const whole = hasMetrics ? newer : withSpec(newer, { metrics: defaultMetrics });
  return convertAutoscaler(whole, "autoscaling/v1");
}
