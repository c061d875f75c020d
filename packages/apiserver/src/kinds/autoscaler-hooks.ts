import type { ApiObject } from "../objects/api-object.js";
import { objectsOf, specOf, withSpec } from "../objects/parts.js";
import { defaultMetrics } from "../phases/default/type-rules.js";
import type { KindHooks } from "./kind-hooks.js";
import { convertAutoscaler, withoutCarried } from "./versions/autoscaler-versions.js";

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
