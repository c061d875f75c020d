import type { KindStrategy } from "../../resources/kind-strategy.js";
import { daemonSetColumns } from "../table/workload-columns.js";
import { validateCount } from "../validation/statuses.js";
import { validateWorkload } from "../validation/workloads.js";
import { daemonSetWarnings } from "../warnings/workload-warnings.js";
import { asFirstGeneration, withFirstGeneration, withNextGeneration } from "../workload-hooks.js";

/** Strategy of the kind DaemonSet. */
export const daemonSetStrategy: KindStrategy = {
  rules: { generation: true },
  defaults: withFirstGeneration,
  prepareCreate: asFirstGeneration,
  prepareUpdate: withNextGeneration,
  validate: (object, errors) => void errors.push(...validateWorkload("daemonSet", object)),
  immutable: [{ path: "spec.selector" }],
  validateStatus: (object, old, errors) =>
    void errors.push(...validateCount("daemonsets.apps", object, old)),
  warnings: daemonSetWarnings,
  columns: daemonSetColumns,
};
