import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateCount } from "../fields/statuses.js";
import { validateWorkload } from "../workloads/validate-workload.js";
import { replicaSetColumns } from "../workloads/workload-columns.js";
import { controllerWarnings } from "../workloads/workload-warnings.js";

/** Strategy of the kind ReplicaSet. */
export const replicaSetStrategy: KindStrategy = {
  rules: { generation: true },
  validate: (object, errors) => validateWorkload("replicaSet", object, errors),
  immutable: [{ path: "spec.selector" }],
  validateStatus: (object, old, errors) => validateCount("replicasets.apps", object, old, errors),
  warnings: controllerWarnings,
  columns: replicaSetColumns,
};
