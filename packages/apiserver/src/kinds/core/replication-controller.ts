import type { KindStrategy } from "../../resources/kind-strategy.js";
import { replicationControllerColumns } from "../table/workload-columns.js";
import { validateCount } from "../validation/statuses.js";
import { validateController } from "../validation/workloads.js";
import { controllerWarnings } from "../warnings/workload-warnings.js";
import { withTemplateLabels } from "../workload-hooks.js";

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
