import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { mapOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { validateFields } from "../fields/validate-fields.js";
import { statusOf } from "../workloads/workload-cells.js";

/** Strategy of the kind PodDisruptionBudget. */
export const podDisruptionBudgetStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false },
  validate: validateBudget,
  validateStatus: ({ status }, _old, errors) =>
    validateFields("policy/v1.PodDisruptionBudgetStatus", mapOf(status), "status", errors),
  columns: columnsFor("poddisruptionbudgets.policy", {
    "Min Available": column("Pods that must remain available.", (one) =>
      String(specOf(one)["minAvailable"] ?? "N/A"),
    ),
    "Max Unavailable": column("Pods that may be unavailable.", (one) =>
      String(specOf(one)["maxUnavailable"] ?? "N/A"),
    ),
    "Allowed Disruptions": column("Pods that may be evicted now.", (one) =>
      statusOf(one, "disruptionsAllowed"),
    ),
  }),
};

function validateBudget(budget: ApiObject, errors: FieldErrors): void {
  const spec = specOf(budget);
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = spec;
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const shown = {
      MinAvailable: minAvailable,
      Selector: selector ?? null,
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy ?? null,
    };
    errors.push(cause.invalid("spec", shown, "minAvailable and maxUnavailable cannot be both set"));
  }
  validateFields("policy/v1.PodDisruptionBudgetSpec", spec, "spec", errors);
}
