import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { mapOf, specOf } from "../../../objects/parts.js";
import { validateOptional } from "../../../phases/validate/checks.js";
import { readSchedule } from "../../fields/cron-schedule.js";
import { fieldValidator } from "../../fields/validate-fields.js";
import { validateJobSpec } from "../job/job-spec.js";

/** Maximum name length of a CronJob: a Job's name is eleven characters longer. */
const maxNameLength = 52;

/** Appends the field errors of a CronJob. An unchanged time zone is not validated: another server may have known it. */
export function validateCronJob(cronJob: ApiObject, errors: FieldErrors, old?: ApiObject): void {
  const spec = specOf(cronJob);
  const { schedule, timeZone } = spec;
  const jobSpec = specOf(mapOf(spec["jobTemplate"]));
  const validate = fieldValidator("batch/v1.CronJobSpec", spec, "spec", errors);
  validateOptional(schedule, validateSchedule, "spec.schedule", errors);
  validate("startingDeadlineSeconds");
  if (old === undefined || specOf(old)["timeZone"] !== timeZone) {
    validateTimeZone(timeZone, "spec.timeZone", errors);
  }
  validate("concurrencyPolicy");
  validateJobSpec(jobSpec, "spec.jobTemplate.spec", errors);
  if (jobSpec["manualSelector"] === true) {
    errors.push(cause.notSupported("spec.jobTemplate.spec.manualSelector", true, ["nil", "false"]));
  }
  validate("successfulJobsHistoryLimit", "failedJobsHistoryLimit");
  const { name = "" } = cronJob.metadata;
  if (name.length > maxNameLength) {
    const why = `must be no more than ${maxNameLength} characters`;
    errors.push(cause.invalid("metadata.name", name, why));
  }
}

function validateSchedule(schedule: unknown, path: string, errors: FieldErrors): void {
  const { problem } = readSchedule(String(schedule));
  if (problem !== undefined) {
    errors.push(cause.invalid(path, schedule, problem));
  }
}

function validateTimeZone(zone: unknown, path: string, errors: FieldErrors): void {
  const why = zone === undefined || zone === null ? undefined : timeZoneText(String(zone));
  if (why !== undefined) {
    errors.push(cause.invalid(path, zone, why));
  }
}

/** Returns the problem of a time zone; `undefined` for a valid one. */
function timeZoneText(zone: string): string | undefined {
  if (zone === "") {
    return "timeZone must be nil or non-empty string";
  }
  if (zone.toLowerCase() === "local") {
    return "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
  }
  return isTimeZone(zone) ? undefined : `unknown time zone ${zone}`;
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
