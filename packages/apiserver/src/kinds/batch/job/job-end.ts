import type { StatusCause } from "@typekube/core";
import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { findCondition } from "../../../objects/conditions.js";
import { type JsonObject, stringsOf } from "../../../objects/json-value.js";
import { mapOf, specOf } from "../../../objects/parts.js";

/** Returns whether a condition of a Job is true. */
export function isTrue(job: ApiObject, condition: string): boolean {
  return findCondition(job, condition)?.["status"] === "True";
}

/** Returns an error about conditions; these don't show the value. */
export function wrongConditions(why: string): StatusCause {
  const message = `Invalid value: ${why}`;
  return { reason: "FieldValueInvalid", message, field: "status.conditions" };
}

/** Appends errors for failure conditions together with a success condition. */
export function validateSuccessExclusions(
  job: ApiObject,
  success: "Complete" | "SuccessCriteriaMet",
  errors: FieldErrors,
): void {
  for (const failure of ["Failed", "FailureTarget"]) {
    if (isTrue(job, success) && isTrue(job, failure)) {
      errors.push(wrongConditions(`cannot set ${success}=True and ${failure}=true conditions`));
    }
  }
}

/** Appends errors for conditions of the end of a Job that contradict each other or the rest of the status. */
export function validateJobEnd(job: ApiObject, old: ApiObject, errors: FieldErrors): void {
  const isComplete = isTrue(job, "Complete");
  const isFailed = isTrue(job, "Failed");
  validateSuccessExclusions(job, "Complete", errors);
  validateCompletionTime(mapOf(job["status"]), isComplete, errors);
  if (isComplete && !isTrue(job, "SuccessCriteriaMet")) {
    errors.push(
      wrongConditions(
        "cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
      ),
    );
  }
  if (isFailed && !isTrue(job, "FailureTarget") && !isTrue(old, "Failed")) {
    errors.push(
      wrongConditions("cannot set Failed=True condition without the FailureTarget=true condition"),
    );
  }
  validateTimesAndCounts(job, old, isComplete || isFailed, errors);
}

function validateCompletionTime(
  { completionTime }: JsonObject,
  isComplete: boolean,
  errors: FieldErrors,
): void {
  const path = "status.completionTime";
  if (isComplete && completionTime === undefined) {
    errors.push(cause.required(path, "completionTime is required for Complete jobs"));
  }
  if (!isComplete && completionTime !== undefined) {
    const why = "cannot set completionTime when there is no Complete=True condition";
    errors.push(cause.invalid(path, completionTime, why));
  }
}

function validateTimesAndCounts(
  job: ApiObject,
  old: ApiObject,
  isFinished: boolean,
  errors: FieldErrors,
): void {
  const status = mapOf(job["status"]);
  const { startTime, completionTime, active = 0, ready } = status;
  const wasStarted = mapOf(old["status"])["startTime"] !== undefined;
  const isSuspended = specOf(job)["suspend"] === true;
  if (isFinished && startTime === undefined && !(isSuspended && wasStarted)) {
    errors.push(cause.required("status.startTime", "startTime is required for finished job"));
  }
  for (const key of isFinished ? ["active", "terminating"] : []) {
    if (Number(status[key] ?? 0) > 0) {
      const why = `${key}>0 is invalid for finished job`;
      errors.push(cause.invalid(`status.${key}`, status[key], why));
    }
  }
  if (isBefore(completionTime, startTime)) {
    const why = "must be equal to or after `startTime`";
    errors.push(cause.invalid("status.completionTime", completionTime, why));
  }
  if (isFinished) {
    validateNoUncounted(mapOf(status["uncountedTerminatedPods"]), errors);
  }
  if (ready !== undefined && Number(ready) > Number(active)) {
    errors.push(cause.invalid("status.ready", ready, "cannot set more ready pods than active"));
  }
}

function isBefore(one: unknown, other: unknown): boolean {
  return (
    typeof one === "string" && typeof other === "string" && Date.parse(one) < Date.parse(other)
  );
}

function validateNoUncounted({ succeeded, failed }: JsonObject, errors: FieldErrors): void {
  if (stringsOf(succeeded).length + stringsOf(failed).length > 0) {
    const shown = { Succeeded: succeeded ?? null, Failed: failed ?? null };
    const why = "must be empty for finished job";
    errors.push(cause.invalid("status.uncountedTerminatedPods", shown, why));
  }
}
