import type { ApiObject } from "../../objects/api-object.js";
import { mapOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { cronJobColumns } from "../workloads/workload-columns.js";
import { isRestated, podNameWarnings } from "../workloads/workload-warnings.js";
import { validateCronJob } from "./cron-job/validate-cron-job.js";
import { jobSpecWarnings } from "./job/job-warnings.js";

/** Strategy of the kind CronJob. */
export const cronJobStrategy: KindStrategy = {
  rules: { generation: true },
  validate: validateCronJob,
  warnings: cronJobWarnings,
  columns: cronJobColumns,
};

function cronJobWarnings(cronJob: ApiObject, old: ApiObject | undefined): string[] {
  const { jobTemplate } = specOf(cronJob);
  return [
    ...podNameWarnings(cronJob, old),
    ...(isRestated(cronJob, old)
      ? jobSpecWarnings(specOf(mapOf(jobTemplate)), "spec.jobTemplate.spec")
      : []),
  ];
}
