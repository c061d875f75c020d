import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateStatusCounts } from "../fields/status-counts.js";
import { horizontalPodAutoscalerColumns } from "../workloads/workload-columns.js";
import { convertAutoscaler } from "./horizontal-pod-autoscaler/autoscaler-versions.js";
import { withNormalVersion } from "./horizontal-pod-autoscaler/normal-version.js";
import { validateAutoscaler } from "./horizontal-pod-autoscaler/validate-autoscaler.js";

/** Strategy of the kind HorizontalPodAutoscaler. */
export const horizontalPodAutoscalerStrategy: KindStrategy = {
  rules: { generation: true },
  versions: { stored: "autoscaling/v2", convert: convertAutoscaler },
  defaults: withNormalVersion,
  validate: validateAutoscaler,
  laterRules: [/^spec\.scaleTargetRef\.apiVersion$/],
  validateStatus: ({ status }, _old, errors) =>
    validateStatusCounts(["currentReplicas", "desiredReplicas"], status, errors),
  columns: horizontalPodAutoscalerColumns,
  idle: { why: "has no metrics and runs no autoscaler" },
};
