import type { KindStrategy } from "../../resources/kind-strategy.js";
import {
  type ReplicaCounts,
  validateCollisionCount,
  validateReplicaCounts,
} from "../workloads/replica-counts.js";
import { deploymentColumns } from "../workloads/workload-columns.js";
import { controllerWarnings } from "../workloads/workload-warnings.js";
import { validateDeployment } from "./deployment/validate-deployment.js";

const counts: ReplicaCounts = {
  counts: [
    "observedGeneration",
    "replicas",
    "updatedReplicas",
    "readyReplicas",
    "availableReplicas",
    "unavailableReplicas",
  ],
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
  columns: deploymentColumns,
};
