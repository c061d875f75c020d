import type { KindStrategy } from "../../resources/kind-strategy.js";
import { replicaSetColumns } from "../table/workload-columns.js";
import { validateCount } from "../validation/statuses.js";
import { validateWorkload } from "../validation/workloads.js";
import { controllerWarnings } from "../warnings/workload-warnings.js";

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
