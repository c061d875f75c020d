import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateCount } from "../fields/statuses.js";
import { validateWorkload } from "../workloads/validate-workload.js";
import { daemonSetColumns } from "../workloads/workload-columns.js";
import {
  asFirstGeneration,
  withFirstGeneration,
  withNextGeneration,
} from "../workloads/workload-hooks.js";
import { daemonSetWarnings } from "../workloads/workload-warnings.js";

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
