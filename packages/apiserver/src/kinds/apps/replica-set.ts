import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateCount } from "../fields/statuses.js";
import { validateWorkload } from "../workloads/validate-workload.js";
import { replicaSetColumns } from "../workloads/workload-columns.js";
import { controllerWarnings } from "../workloads/workload-warnings.js";

/** Strategy of the kind ReplicaSet. */
export const replicaSetStrategy: KindStrategy = {
  rules: { generation: true },
  validate: (object, errors) => void errors.push(...validateWorkload("replicaSet", object)),
  immutable: [{ path: "spec.selector" }],
  validateStatus: (object, old, errors) =>
    void errors.push(...validateCount("replicasets.apps", object, old)),
  warnings: controllerWarnings,
  columns: replicaSetColumns,
};
