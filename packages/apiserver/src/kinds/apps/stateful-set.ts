import type { KindStrategy } from "../../resources/kind-strategy.js";
import { statefulSetColumns } from "../table/workload-columns.js";
import { validateCount } from "../validation/statuses.js";
import { validateWorkload } from "../validation/workloads.js";
import { statefulSetWarnings } from "../warnings/workload-warnings.js";
import { withClaimKinds } from "../workload-hooks.js";

/** Strategy of the kind StatefulSet. */
export const statefulSetStrategy: KindStrategy = {
  rules: { generation: true, names: "label" },
  defaults: withClaimKinds,
  validate: (object, errors, old) =>
    void errors.push(...validateWorkload("statefulSet", object, old)),
  immutable: [
    { path: "spec.serviceName" },
    { path: "spec.podManagementPolicy" },
    { path: "spec.selector" },
    { path: "spec.volumeClaimTemplates" },
  ],
  validateStatus: (object, old, errors) =>
    void errors.push(...validateCount("statefulsets.apps", object, old)),
  warnings: statefulSetWarnings,
  columns: statefulSetColumns,
};
