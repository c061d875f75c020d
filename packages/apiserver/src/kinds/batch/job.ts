import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateJobChange } from "../core/immutable-fields.js";
import { jobColumns } from "../workloads/workload-columns.js";
import { jobWarnings } from "../workloads/workload-warnings.js";
import { orphanWarnings, withJobDefaults, withSelector } from "./job/job-hooks.js";
import { validateJobStatus } from "./job/job-status.js";
import { validateJob, validateNewJob } from "./job/validate-job.js";

/** Strategy of the kind Job. */
export const jobStrategy: KindStrategy = {
  rules: { generation: true, orphansDependents: true },
  defaults: withJobDefaults,
  prepareCreate: withSelector,
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
