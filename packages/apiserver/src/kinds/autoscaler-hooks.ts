import type { ApiObject } from "../store/stored-object.js";
import { convertAutoscaler, withoutCarried } from "../versions/autoscaler-versions.js";
import type { KindHooks } from "./kind-hooks.js";
import { objectsOf, specOf, withSpec } from "./parts.js";
import { defaultMetrics } from "./type-rules.js";

/** Hooks of autoscalers, which normalize them before validation. */
export const autoscalerHooks: Readonly<Record<string, KindHooks>> = {
  "horizontalpodautoscalers.autoscaling": {
    defaults: (autoscaler) =>
      autoscaler.apiVersion === "autoscaling/v1" ? settled(autoscaler) : withoutCarried(autoscaler),
  },
};

/** Adds default metrics to an autoscaling/v1 autoscaler and normalizes the annotations that carry its v2 fields. */
function settled(autoscaler: ApiObject): ApiObject {
  const newer = convertAutoscaler(autoscaler, "autoscaling/v2");
  const hasMetrics = objectsOf(specOf(newer)["metrics"]).length > 0;
  const whole = hasMetrics ? newer : withSpec(newer, { metrics: defaultMetrics });
  return convertAutoscaler(whole, "autoscaling/v1");
}
