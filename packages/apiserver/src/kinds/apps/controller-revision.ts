import { cause } from "../../errors/status-errors.js";
import { validateNotNegative } from "../../phases/validate/checks.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { controllerRevisionColumns } from "../workloads/workload-columns.js";

/** Strategy of the kind ControllerRevision. */
export const controllerRevisionStrategy: KindStrategy = {
  validate({ revision, data }, errors) {
    validateNotNegative(revision, "revision", errors);
    if (data === undefined || data === null) {
      errors.push(cause.required("data", "data is mandatory"));
    }
  },
  immutable: [{ path: "data" }],
  columns: controllerRevisionColumns,
};
