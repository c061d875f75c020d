import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateStatusCounts } from "../fields/status-counts.js";
import { validateCollisionCount } from "../workloads/replica-counts.js";
import { daemonSetColumns } from "../workloads/workload-columns.js";
import { changedTemplateWarnings } from "../workloads/workload-warnings.js";
import {
  asFirstGeneration,
  withFirstGeneration,
  withNextGeneration,
} from "./daemon-set/template-generation.js";
import { validateDaemonSet } from "./daemon-set/validate-daemon-set.js";

const counts = [
  "currentNumberScheduled",
  "numberMisscheduled",
  "desiredNumberScheduled",
  "numberReady",
  "observedGeneration",
  "updatedNumberScheduled",
  "numberAvailable",
  "numberUnavailable",
  "collisionCount",
];

/** Strategy of the kind DaemonSet. */
export const daemonSetStrategy: KindStrategy = {
  rules: { generation: true },
  defaults: withFirstGeneration,
  prepareCreate: asFirstGeneration,
  prepareUpdate: withNextGeneration,
  validate: validateDaemonSet,
  immutable: [{ path: "spec.selector" }],
  validateStatus(object, old, errors) {
    validateStatusCounts(counts, object["status"], errors);
    validateCollisionCount(object, old, errors);
  },
  warnings: changedTemplateWarnings,
  columns: daemonSetColumns,
};
