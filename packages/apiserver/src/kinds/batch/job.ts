import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import type { KindStrategy, StrategyDelete } from "../../resources/kind-strategy.js";
import { ageText } from "../../response/table/age.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { containers, selector, statusOf } from "../workloads/workload-cells.js";
import { withGeneratedSelector } from "./job/generated-selector.js";
import { validateJobChange } from "./job/job-changes.js";
import { withJobDefaults } from "./job/job-defaults.js";
import { validateJobStatus } from "./job/job-status.js";
import { jobWarnings } from "./job/job-warnings.js";
import { validateJob, validateNewJob } from "./job/validate-job.js";

/** Conditions by precedence: an earlier one hides the later ones. */
const jobEnds = ["Complete", "Failed", "Suspended", "FailureTarget", "SuccessCriteriaMet"];

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
  columns: columnsFor("jobs.batch", {
    Status: column("Status of the Job.", jobStatus),
    Completions: column("Succeeded pods, and desired completions.", completions),
    Duration: column("Duration of the run.", duration),
    ...containers,
    Selector: selector,
  }),
};

/** Warns that a delete without a propagation policy keeps the pods. */
function orphanWarnings({ propagationPolicy }: StrategyDelete): string[] {
  return propagationPolicy === undefined
    ? [
        "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
      ]
    : [];
}

function jobStatus({ metadata, status }: JsonObject): string {
  const conditions = objectsOf(mapOf(status)["conditions"]);
  const holds = (type: string) =>
    conditions.some((one) => one["type"] === type && one["status"] === "True");
  const [complete = "", failed = "", ...others] = jobEnds;
  const ended = [complete, failed].find(holds);
  if (ended !== undefined) {
    return ended;
  }
  return mapOf(metadata)["deletionTimestamp"] === undefined
    ? (others.find(holds) ?? "Running")
    : "Terminating";
}

function completions(job: JsonObject): string {
  const { completions: wanted, parallelism } = specOf(job);
  const succeeded = String(statusOf(job, "succeeded"));
  if (wanted !== undefined) {
    return `${succeeded}/${String(wanted)}`;
  }
  const many = typeof parallelism === "number" ? parallelism : 0;
  return many > 1 ? `${succeeded}/1 of ${many}` : `${succeeded}/1`;
}

function duration({ status }: JsonObject, now: number): string {
  const { startTime, completionTime } = mapOf(status);
  if (startTime === undefined) {
    return "";
  }
  const end = completionTime === undefined ? now : Date.parse(String(completionTime));
  return ageText(Math.floor((end - Date.parse(String(startTime))) / 1000));
}
