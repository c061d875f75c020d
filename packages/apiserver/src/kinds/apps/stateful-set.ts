import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateCount } from "../fields/statuses.js";
import { validateWorkload } from "../workloads/validate-workload.js";
import { statefulSetColumns } from "../workloads/workload-columns.js";
import { withClaimKinds } from "../workloads/workload-hooks.js";
import { statefulSetWarnings } from "../workloads/workload-warnings.js";

/** Strategy of the kind StatefulSet. */
export const statefulSetStrategy: KindStrategy = {
  rules: { generation: true, names: "label" },
  defaults: withClaimKinds,
  validate: (object, errors, old) => validateWorkload("statefulSet", object, errors, old),
  immutable: [
    { path: "spec.serviceName" },
    { path: "spec.podManagementPolicy" },
    { path: "spec.selector" },
    { path: "spec.volumeClaimTemplates" },
  ],
  validateStatus: (object, old, errors) => validateCount("statefulsets.apps", object, old, errors),
  warnings: statefulSetWarnings,
  columns: statefulSetColumns,
};
