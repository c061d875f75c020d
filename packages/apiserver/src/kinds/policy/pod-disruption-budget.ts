import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import {
  validateCountOrPercent,
  validateGivenOneOf,
  validateItems,
  validateOneOf,
  validateRequired,
} from "../../phases/validate/checks.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import type { TableColumn } from "../../resources/table-column.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { validateSelector } from "../fields/selectors.js";
import { validateStatusCounts } from "../fields/status-counts.js";
import { statusOf } from "../workloads/workload-cells.js";

const counts = ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"];

/** Columns of the kind PodDisruptionBudget. */
const podDisruptionBudgetColumns: readonly TableColumn[] = columnsFor(
  "poddisruptionbudgets.policy",
  {
    "Min Available": column("Pods that must remain available.", (one) =>
      String(specOf(one)["minAvailable"] ?? "N/A"),
    ),
    "Max Unavailable": column("Pods that may be unavailable.", (one) =>
      String(specOf(one)["maxUnavailable"] ?? "N/A"),
    ),
    "Allowed Disruptions": column("Pods that may be evicted now.", (one) =>
      statusOf(one, "disruptionsAllowed"),
    ),
  },
);

/** Strategy of the kind PodDisruptionBudget. */
export const podDisruptionBudgetStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false },
  validate: validateBudget,
  validateStatus({ status }, _old, errors) {
    const conditions = objectsOf(mapOf(status)["conditions"]);
    validateStatusCounts(counts, status, errors);
    validateItems(conditions, validateCondition, "status.conditions", errors);
  },
  columns: podDisruptionBudgetColumns,
};

function validateBudget(budget: ApiObject, errors: FieldErrors): void {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = specOf(budget);
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const shown = {
      MinAvailable: minAvailable,
      Selector: selector ?? null,
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy ?? null,
    };
    errors.push(cause.invalid("spec", shown, "minAvailable and maxUnavailable cannot be both set"));
  }
  validateCountOrPercent(minAvailable, "spec.minAvailable", errors, 100);
  validateCountOrPercent(maxUnavailable, "spec.maxUnavailable", errors, 100);
  validateSelector(selector, "spec.selector", errors);
  validateGivenOneOf(
    unhealthyPodEvictionPolicy,
    ["AlwaysAllow", "IfHealthyBudget"],
    "spec.unhealthyPodEvictionPolicy",
    errors,
  );
}

/** Checks a condition of the type `metav1.Condition`. */
function validateCondition(condition: JsonObject, path: string, errors: FieldErrors): void {
  validateOneOf(condition["status"], ["False", "True", "Unknown"], `${path}.status`, errors);
  validateRequired(condition["lastTransitionTime"], `${path}.lastTransitionTime`, errors);
  validateRequired(condition["reason"], `${path}.reason`, errors);
}
