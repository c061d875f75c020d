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
  validate: (object, errors) => validateWorkload("daemonSet", object, errors),
  immutable: [{ path: "spec.selector" }],
  validateStatus: (object, old, errors) => validateCount("daemonsets.apps", object, old, errors),
  warnings: daemonSetWarnings,
  columns: daemonSetColumns,
};
