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
  validate: (object, errors) => void errors.push(...validateController(object)),
  validateStatus: (object, old, errors) =>
    void errors.push(...validateCount("replicationcontrollers", object, old)),
  warnings: controllerWarnings,
  fieldSelectors: { paths: ["status.replicas"], zeros: { "status.replicas": "0" } },
  columns: replicationControllerColumns,
};
