import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateCount } from "../fields/statuses.js";
import { validateWorkload } from "../workloads/validate-workload.js";
import { deploymentColumns } from "../workloads/workload-columns.js";
import { controllerWarnings } from "../workloads/workload-warnings.js";

/** Strategy of the kind Deployment. */
export const deploymentStrategy: KindStrategy = {
  rules: { generation: true, generationOnAnnotations: true, statusMetadata: "withoutLabels" },
  validate: (object, errors) => void errors.push(...validateWorkload("deployment", object)),
  immutable: [{ path: "spec.selector" }],
  validateStatus: (object, old, errors) =>
    void errors.push(...validateCount("deployments.apps", object, old)),
  warnings: controllerWarnings,
  columns: deploymentColumns,
};
