import type { KindStrategy } from "../../resources/kind-strategy.js";
import { podDisruptionBudgetColumns } from "../table/workload-columns.js";
import { validateBudget } from "../validation/autoscaling.js";
import { validateCondition, validateCount } from "../validation/statuses.js";

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
