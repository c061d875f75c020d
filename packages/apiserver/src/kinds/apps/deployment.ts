import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import {
  type ReplicaCounts,
  validateCollisionCount,
  validateReplicaCounts,
} from "../workloads/replica-counts.js";
import { containers, readyOfAll, selector, statusOf } from "../workloads/workload-cells.js";
import { controllerWarnings } from "../workloads/workload-warnings.js";
import { validateDeployment } from "./deployment/validate-deployment.js";

const counts: ReplicaCounts = {
  status: "apps/v1.DeploymentStatus",
  ofReplicas: ["updatedReplicas", "readyReplicas", "availableReplicas"],
};

/** Strategy of the kind Deployment. */
export const deploymentStrategy: KindStrategy = {
  rules: { generation: true, generationOnAnnotations: true, statusMetadata: "withoutLabels" },
  validate: validateDeployment,
  immutable: [{ path: "spec.selector" }],
  validateStatus(object, old, errors) {
    validateReplicaCounts(counts, object, errors);
    validateCollisionCount(object, old, errors);
  },
  warnings: controllerWarnings,
  columns: columnsFor("deployments.apps", {
    Ready: readyOfAll,
    "Up-to-date": column("Pods of the newest template.", (one) => statusOf(one, "updatedReplicas")),
    Available: column("Pods that are available.", (one) => statusOf(one, "availableReplicas")),
    ...containers,
    Selector: selector,
  }),
};
