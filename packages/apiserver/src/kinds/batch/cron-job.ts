import type { KindStrategy } from "../../resources/kind-strategy.js";
import { cronJobColumns } from "../table/workload-columns.js";
import { validateCronJob } from "../validation/jobs.js";
import { cronJobWarnings } from "../warnings/workload-warnings.js";

/** Strategy of the kind CronJob. */
export const cronJobStrategy: KindStrategy = {
  rules: { generation: true },
  validate: (object, errors, old) => void errors.push(...validateCronJob(object, old)),
  warnings: cronJobWarnings,
  columns: cronJobColumns,
};
