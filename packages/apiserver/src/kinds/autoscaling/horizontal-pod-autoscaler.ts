import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateCount } from "../fields/statuses.js";
import { horizontalPodAutoscalerColumns } from "../workloads/workload-columns.js";
import { withNormalVersions } from "./autoscaler-hooks.js";
import { convertAutoscaler } from "./autoscaler-versions.js";
import { validateAutoscaler } from "./validate-autoscaling.js";

/** Strategy of the kind HorizontalPodAutoscaler. */
export const horizontalPodAutoscalerStrategy: KindStrategy = {
  rules: { generation: true },
  versions: { stored: "autoscaling/v2", convert: convertAutoscaler },
  defaults: withNormalVersions,
  validate: validateAutoscaler,
  validateStatus: (object, old, errors) =>
    validateCount("horizontalpodautoscalers.autoscaling", object, old, errors),
  columns: horizontalPodAutoscalerColumns,
  idle: { why: "has no metrics and runs no autoscaler" },
};
