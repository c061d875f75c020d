import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateBudget } from "../autoscaling/validate-autoscaling.js";
import { validateCondition, validateCount } from "../fields/statuses.js";
import { podDisruptionBudgetColumns } from "../workloads/workload-columns.js";

/** Strategy of the kind PodDisruptionBudget. */
export const podDisruptionBudgetStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false },
  validate: validateBudget,
  validateStatus: (object, old, errors) => {
    validateCount("poddisruptionbudgets.policy", object, old, errors);
    validateCondition(object, errors);
  },
  columns: podDisruptionBudgetColumns,
};
