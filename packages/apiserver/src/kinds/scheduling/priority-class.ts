import type { KindStrategy } from "../../resources/kind-strategy.js";
import { priorityClassColumns } from "../fields/cluster-columns.js";
import { validatePriorityClass } from "../fields/others.js";

/** Strategy of the kind PriorityClass. */
export const priorityClassStrategy: KindStrategy = {
  rules: { generation: true },
  validateCreate: validatePriorityClass,
  immutable: [
    { path: "value", forbidden: true, why: "may not be changed in an update." },
    { path: "preemptionPolicy" },
  ],
  columns: priorityClassColumns,
};
