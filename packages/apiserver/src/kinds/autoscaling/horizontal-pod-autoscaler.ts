import type { KindStrategy } from "../../resources/kind-strategy.js";
import { withNormalVersions } from "../autoscaler-hooks.js";
import { horizontalPodAutoscalerColumns } from "../table/workload-columns.js";
import { validateAutoscaler } from "../validation/autoscaling.js";
import { validateCount } from "../validation/statuses.js";
import { convertAutoscaler } from "../versions/autoscaler-versions.js";

/** Strategy of the kind HorizontalPodAutoscaler. */
export const horizontalPodAutoscalerStrategy: KindStrategy = {
  rules: { generation: true },
  versions: { stored: "autoscaling/v2", convert: convertAutoscaler },
  defaults: withNormalVersions,
  validate: (object, errors) => void errors.push(...validateAutoscaler(object)),
  validateStatus: (object, old, errors) =>
    void errors.push(...validateCount("horizontalpodautoscalers.autoscaling", object, old)),
  columns: horizontalPodAutoscalerColumns,
  idle: { why: "has no metrics and runs no autoscaler" },
};
