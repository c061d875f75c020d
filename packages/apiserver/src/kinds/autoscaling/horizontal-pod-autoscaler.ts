import { mapOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { validateFields } from "../fields/validate-fields.js";
import { metricsText } from "../workloads/metrics-text.js";
import { statusOf } from "../workloads/workload-cells.js";
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
    validateFields("autoscaling/v2.HorizontalPodAutoscalerStatus", mapOf(status), "status", errors),
  columns: columnsFor("horizontalpodautoscalers.autoscaling", {
    Reference: column("Object that is scaled.", (one) => {
      const { kind, name } = mapOf(specOf(one)["scaleTargetRef"]);
      return `${String(kind)}/${String(name)}`;
    }),
    Targets: column("Current and target values of the metrics.", metricsText),
    MinPods: column("Minimum of pods.", (one) => String(specOf(one)["minReplicas"] ?? "<unset>")),
    MaxPods: column("Maximum of pods.", (one) => specOf(one)["maxReplicas"]),
    Replicas: column("Current pods.", (one) => statusOf(one, "currentReplicas")),
  }),
  idle: { why: "has no metrics and runs no autoscaler" },
};
