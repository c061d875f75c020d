import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateCount } from "../fields/statuses.js";
import { validateWorkload } from "../workloads/validate-workload.js";
import { deploymentColumns } from "../workloads/workload-columns.js";
import { controllerWarnings } from "../workloads/workload-warnings.js";

/** Strategy of the kind Deployment. */
export const deploymentStrategy: KindStrategy = {
  rules: { generation: true, generationOnAnnotations: true, statusMetadata: "withoutLabels" },
  validate: (object, errors) => validateWorkload("deployment", object, errors),
  immutable: [{ path: "spec.selector" }],
  validateStatus: (object, old, errors) => validateCount("deployments.apps", object, old, errors),
  warnings: controllerWarnings,
  columns: deploymentColumns,
};
