import type { KindStrategy } from "../../resources/kind-strategy.js";
import { cronJobColumns } from "../workloads/workload-columns.js";
import { cronJobWarnings } from "../workloads/workload-warnings.js";
import { validateCronJob } from "./job/validate-job.js";

/** Strategy of the kind CronJob. */
export const cronJobStrategy: KindStrategy = {
  rules: { generation: true },
  validate: validateCronJob,
  warnings: cronJobWarnings,
  columns: cronJobColumns,
};
