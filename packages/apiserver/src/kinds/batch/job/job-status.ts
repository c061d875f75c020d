import type { StatusCause } from "@typekube/core";
import type { FieldErrors } from "../../../errors/field-errors.js";
import { cause } from "../../../errors/status-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { findCondition } from "../../../objects/conditions.js";
import { type JsonObject, jsonEqual, stringsOf } from "../../../objects/json-value.js";
import { mapOf, specOf } from "../../../objects/parts.js";
import { validateNotNegative } from "../../../phases/validate/checks.js";

const counts = ["active", "succeeded", "failed", "terminating", "ready"] as const;

/** Appends the field errors of a Job's status: conditions must be consistent, and a finished Job stays finished. */
export function validateJobStatus(job: ApiObject, before: ApiObject, errors: FieldErrors): void {
  const status = mapOf(job["status"]);
  for (const key of counts) {
    validateNotNegative(status[key], `status.${key}`, errors);
  }
  validateUncountedPods(mapOf(status["uncountedTerminatedPods"]), errors);
  validateJobEnd(job, before, errors);
  validateIndex(job, errors);
  validateSuccessExclusions(job, "SuccessCriteriaMet", errors);
  validateReportedChange(job, before, errors);
}

function isTrue(job: ApiObject, condition: string): boolean {
  return findCondition(job, condition)?.["status"] === "True";
}

/** Returns an error about conditions; these don't show the value. */
function wrongConditions(why: string): StatusCause {
  const message = `Invalid value: ${why}`;
  return { reason: "FieldValueInvalid", message, field: "status.conditions" };
}

function validateUncountedPods(uncounted: JsonObject, errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const list of ["succeeded", "failed"]) {
    for (const [at, uid] of stringsOf(uncounted[list]).entries()) {
      const field = `status.uncountedTerminatedPods.${list}[${at}]`;
      if (uid === "") {
        errors.push(cause.invalid(field, uid, "must not be empty"));
        continue;
      }
      const isKnown = seen.has(uid);
      seen.add(uid);
      if (isKnown) {
        errors.push(cause.duplicate(field, uid));
      }
    }
  }
}

/** Appends errors for failure conditions together with a success condition. */
function validateSuccessExclusions(
  job: ApiObject,
  success: "Complete" | "SuccessCriteriaMet",
  errors: FieldErrors,
): void {
  for (const failure of ["Failed", "FailureTarget"].filter(
    (failure) => isTrue(job, success) && isTrue(job, failure),
  )) {
    errors.push(wrongConditions(`cannot set ${success}=True and ${failure}=true conditions`));
  }
}

function validateJobEnd(job: ApiObject, before: ApiObject, errors: FieldErrors): void {
  const status = mapOf(job["status"]);
  const { startTime, completionTime, active = 0, terminating = 0, ready } = status;
  const [isComplete, isFailed] = [isTrue(job, "Complete"), isTrue(job, "Failed")];
  const isFinished = isComplete || isFailed;
  const wasStarted = mapOf(before["status"])["startTime"] !== undefined;
  const isSuspended = specOf(job)["suspend"] === true;
  const needsStart = isFinished && startTime === undefined && !(isSuspended && wasStarted);
  const still = (key: string, count: unknown) =>
    isFinished && Number(count) > 0
      ? [cause.invalid(`status.${key}`, count, `${key}>0 is invalid for finished job`)]
      : [];
  const without = (end: string, first: string) =>
    wrongConditions(`cannot set ${end}=True condition without the ${first}=true condition`);
  const completion = "status.completionTime";
  validateSuccessExclusions(job, "Complete", errors);
  if (isComplete && completionTime === undefined) {
    errors.push(cause.required(completion, "completionTime is required for Complete jobs"));
  }
  if (!isComplete && completionTime !== undefined) {
    errors.push(
      cause.invalid(
        completion,
        completionTime,
        "cannot set completionTime when there is no Complete=True condition",
      ),
    );
  }
  if (isComplete && !isTrue(job, "SuccessCriteriaMet")) {
    errors.push(without("Complete", "SuccessCriteriaMet"));
  }
  if (isFailed && !isTrue(job, "FailureTarget") && !isTrue(before, "Failed")) {
    errors.push(without("Failed", "FailureTarget"));
  }
  if (needsStart) {
    errors.push(cause.required("status.startTime", "startTime is required for finished job"));
  }
  errors.push(...still("active", active));
  errors.push(...still("terminating", terminating));
  if (isBefore(completionTime, startTime)) {
    errors.push(cause.invalid(completion, completionTime, "must be equal to or after `startTime`"));
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
  const isEmpty = stringsOf(succeeded).length + stringsOf(failed).length === 0;
  const shown = { Succeeded: succeeded ?? null, Failed: failed ?? null };
  const field = "status.uncountedTerminatedPods";
  if (!isEmpty) {
    errors.push(cause.invalid(field, shown, "must be empty for finished job"));
  }
}

function validateIndex(job: ApiObject, errors: FieldErrors): void {
  const { completions, completionMode, backoffLimitPerIndex } = specOf(job);
  const { completedIndexes, failedIndexes } = mapOf(job["status"]);
  const most = typeof completions === "number" ? completions : Number.POSITIVE_INFINITY;
  const read = (field: string, text: string): FieldErrors => {
    const why = indexText(text, most);
    const wrong = `error parsing ${field}: ${why}`;
    return why === undefined ? [] : [cause.invalid(`status.${field}`, text, wrong)];
  };
  const completed = typeof completedIndexes === "string" ? completedIndexes : "";
  const unindexed = "cannot set non-empty completedIndexes when non-indexed completion mode";
  const unlimited = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
  errors.push(...read("completedIndexes", completed));
  if (completed !== "" && completionMode !== "Indexed") {
    errors.push(cause.invalid("status.completedIndexes", completed, unindexed));
  }
  if (typeof failedIndexes === "string") {
    if (backoffLimitPerIndex === undefined) {
      errors.push(cause.invalid("status.failedIndexes", failedIndexes, unlimited));
    } else {
      errors.push(...read("failedIndexes", failedIndexes));
    }
  }
}

/** Explains why a text is not a list of indexes such as `1,3-5`; `undefined` when it is. */
export function indexText(text: string, most: number): string | undefined {
  let previous: number | undefined;
  for (const index of text === "" ? [] : text.split(/[,-]/)) {
    const number = /^\d+$/.test(index) ? Number(index) : undefined;
    if (number === undefined) {
      return `cannot convert string to integer for index: ${JSON.stringify(index)}`;
    }
    if (number >= most) {
      return `too large index: ${JSON.stringify(index)}`;
    }
    if (previous !== undefined && number <= previous) {
      return `non-increasing order, previous: ${previous}, current: ${number}`;
    }
    previous = number;
  }
  return undefined;
}

/** Appends errors for reverting reported results. */
function validateReportedChange(job: ApiObject, before: ApiObject, errors: FieldErrors): void {
  const [now, then] = [mapOf(job["status"]), mapOf(before["status"])];
  const kept = (key: string, why: string) =>
    then[key] === undefined || jsonEqual(now[key] ?? null, then[key])
      ? []
      : [cause.invalid(`status.${key}`, now[key] ?? null, why)];
  const wasComplete = isTrue(before, "Complete");
  const disabled = ["Complete", "Failed", "FailureTarget", "SuccessCriteriaMet"].filter(
    (type) => isTrue(before, type) && !isTrue(job, type),
  );
  const { suspend, completionMode } = specOf(job);
  const fewer = (key: string) =>
    Number(now[key] ?? 0) < Number(then[key] ?? 0)
      ? [cause.invalid(`status.${key}`, now[key] ?? 0, `cannot decrease the ${key} counter`)]
      : [];
  if (suspend !== true) {
    errors.push(...kept("startTime", "field is immutable for unsuspended job once set"));
  }
  if (wasComplete && now["completionTime"] !== undefined) {
    errors.push(...kept("completionTime", "field is immutable"));
  }
  errors.push(
    ...disabled.map((type) => {
      const terminal = type === "SuccessCriteriaMet" ? "" : "terminal ";
      return wrongConditions(`cannot disable the ${terminal}${type}=True condition`);
    }),
  );
  errors.push(...fewer("failed"));
  if (completionMode !== "Indexed") {
    errors.push(...fewer("succeeded"));
  }
}
