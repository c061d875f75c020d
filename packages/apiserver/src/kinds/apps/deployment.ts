import type { KindStrategy } from "../../resources/kind-strategy.js";
import { deploymentColumns } from "../table/workload-columns.js";
import { validateCount } from "../validation/statuses.js";
import { validateWorkload } from "../validation/workloads.js";
import { controllerWarnings } from "../warnings/workload-warnings.js";

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
