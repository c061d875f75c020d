import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateCount } from "../fields/statuses.js";
import { validateController } from "../workloads/validate-workload.js";
import { replicationControllerColumns } from "../workloads/workload-columns.js";
import { withTemplateLabels } from "../workloads/workload-hooks.js";
import { controllerWarnings } from "../workloads/workload-warnings.js";

/** Strategy of the kind ReplicationController. */
export const replicationControllerStrategy: KindStrategy = {
  rules: { generation: true, orphansDependents: true },
  defaults: withTemplateLabels,
  validate: validateController,
  validateStatus: (object, old, errors) =>
    validateCount("replicationcontrollers", object, old, errors),
  warnings: controllerWarnings,
  fieldSelectors: { paths: ["status.replicas"], zeros: { "status.replicas": "0" } },
  columns: replicationControllerColumns,
};
