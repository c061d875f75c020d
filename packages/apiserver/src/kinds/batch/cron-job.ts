import type { ApiObject } from "../../objects/api-object.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { sinceText } from "../../response/table/age.js";
import { none, orNone, selectorText } from "../../response/table/cell-text.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { containerColumns } from "../workloads/workload-cells.js";
import { isRestated, podNameWarnings } from "../workloads/workload-warnings.js";
import { validateCronJob } from "./cron-job/validate-cron-job.js";
import { jobSpecWarnings } from "./job/job-warnings.js";

/** Strategy of the kind CronJob. */
export const cronJobStrategy: KindStrategy = {
  rules: { generation: true },
  validate: validateCronJob,
  warnings: cronJobWarnings,
  columns: columnsFor("cronjobs.batch", {
    Schedule: column("Schedule of the Jobs.", (one) => specOf(one)["schedule"]),
    Timezone: column("Time zone of the schedule.", (one) => orNone(specOf(one)["timeZone"])),
    Suspend: column("True if the schedule is suspended.", (one) =>
      specOf(one)["suspend"] === true ? "True" : "False",
    ),
    Active: column("Active Jobs.", ({ status }) => objectsOf(mapOf(status)["active"]).length),
    "Last Schedule": column("Time since the last Job was created.", ({ status }, now) => {
      const { lastScheduleTime } = mapOf(status);
      return lastScheduleTime === undefined ? none : sinceText(lastScheduleTime, now);
    }),
    ...containerColumns((one) => mapOf(mapOf(specOf(one)["jobTemplate"])["spec"])),
    Selector: column("Selector of the Jobs' pods.", (one) =>
      selectorText(mapOf(mapOf(specOf(one)["jobTemplate"])["spec"])["selector"]),
    ),
  }),
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
