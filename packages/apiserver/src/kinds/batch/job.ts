import type { KindStrategy, StrategyDelete } from "../../resources/kind-strategy.js";
import { jobColumns } from "../workloads/workload-columns.js";
import { withGeneratedSelector } from "./job/generated-selector.js";
import { validateJobChange } from "./job/job-changes.js";
import { withJobDefaults } from "./job/job-defaults.js";
import { validateJobStatus } from "./job/job-status.js";
import { jobWarnings } from "./job/job-warnings.js";
import { validateJob, validateNewJob } from "./job/validate-job.js";

/** Strategy of the kind Job. */
export const jobStrategy: KindStrategy = {
  rules: { generation: true, orphansDependents: true },
  defaults: withJobDefaults,
  prepareCreate: withGeneratedSelector,
  validate: validateJob,
  validateCreate: validateNewJob,
  validateUpdate: validateJobChange,
  validateStatus: validateJobStatus,
  warnings: jobWarnings,
  deleteWarnings: orphanWarnings,
  fieldSelectors: {
    paths: ["status.successful"],
    zeros: { "status.successful": "0" },
    unknownField: (field) => `field label ${JSON.stringify(field)} not supported for Job`,
  },
  columns: jobColumns,
};

/** Warns that a delete without a propagation policy keeps the pods. */
function orphanWarnings({ propagationPolicy }: StrategyDelete): string[] {
  return propagationPolicy === undefined
    ? [
        "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
      ]
    : [];
}
