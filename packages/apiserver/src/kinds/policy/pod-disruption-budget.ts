import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateBudget } from "../autoscaling/validate-autoscaling.js";
import { validateCondition, validateCount } from "../fields/statuses.js";
import { podDisruptionBudgetColumns } from "../workloads/workload-columns.js";

/** Strategy of the kind PodDisruptionBudget. */
export const podDisruptionBudgetStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false },
  validate: (object, errors) => void errors.push(...validateBudget(object)),
  validateStatus: (object, old, errors) =>
    void errors.push(
      ...validateCount("poddisruptionbudgets.policy", object, old),
      ...validateCondition(object),
    ),
  columns: podDisruptionBudgetColumns,
};
