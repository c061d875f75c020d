import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, jsonEqual, stringsOf } from "../../../objects/json-value.js";
import { mapOf, specOf } from "../../../objects/parts.js";
import { validateFields } from "../../fields/validate-fields.js";
import { isTrue, validateJobEnd, validateSuccessExclusions, wrongConditions } from "./job-end.js";
import { indexText } from "./job-indexes.js";

/** Appends the field errors of a Job's status: conditions must be consistent, and a finished Job stays finished. */
export function validateJobStatus(job: ApiObject, old: ApiObject, errors: FieldErrors): void {
  const status = mapOf(job["status"]);
  validateFields("batch/v1.JobStatus", status, "status", errors);
  validateUncountedPods(mapOf(status["uncountedTerminatedPods"]), errors);
  validateJobEnd(job, old, errors);
  validateIndexLists(job, errors);
  validateSuccessExclusions(job, "SuccessCriteriaMet", errors);
  validateReportedChange(job, old, errors);
}

function validateUncountedPods(uncounted: JsonObject, errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const list of ["succeeded", "failed"]) {
    for (const [at, uid] of stringsOf(uncounted[list]).entries()) {
      const path = `status.uncountedTerminatedPods.${list}[${at}]`;
      if (uid === "") {
        errors.push(cause.invalid(path, uid, "must not be empty"));
      } else if (seen.has(uid)) {
        errors.push(cause.duplicate(path, uid));
      }
      seen.add(uid);
    }
  }
}

function validateIndexLists(job: ApiObject, errors: FieldErrors): void {
  const { completions, completionMode, backoffLimitPerIndex } = specOf(job);
  const { completedIndexes: completed, failedIndexes: failed } = mapOf(job["status"]);
  const most = typeof completions === "number" ? completions : Number.POSITIVE_INFINITY;
  if (typeof completed === "string") {
    validateIndexList(completed, most, "completedIndexes", errors);
    if (completed !== "" && completionMode !== "Indexed") {
      const why = "cannot set non-empty completedIndexes when non-indexed completion mode";
      errors.push(cause.invalid("status.completedIndexes", completed, why));
    }
  }
  if (typeof failed === "string" && backoffLimitPerIndex === undefined) {
    const why = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
    errors.push(cause.invalid("status.failedIndexes", failed, why));
  } else if (typeof failed === "string") {
    validateIndexList(failed, most, "failedIndexes", errors);
  }
}

function validateIndexList(text: string, most: number, key: string, errors: FieldErrors): void {
  const why = indexText(text, most);
  if (why !== undefined) {
    errors.push(cause.invalid(`status.${key}`, text, `error parsing ${key}: ${why}`));
  }
}

/** Appends errors for reverting reported results. */
function validateReportedChange(job: ApiObject, old: ApiObject, errors: FieldErrors): void {
  const status = mapOf(job["status"]);
  const oldStatus = mapOf(old["status"]);
  const { suspend, completionMode } = specOf(job);
  const validateKept = (key: string, why: string) => {
    if (oldStatus[key] !== undefined && !jsonEqual(status[key] ?? null, oldStatus[key])) {
      errors.push(cause.invalid(`status.${key}`, status[key] ?? null, why));
    }
  };
  const validateNotLess = (key: string) => {
    const count = status[key] ?? 0;
    if (Number(count) < Number(oldStatus[key] ?? 0)) {
      errors.push(cause.invalid(`status.${key}`, count, `cannot decrease the ${key} counter`));
    }
  };
  if (suspend !== true) {
    validateKept("startTime", "field is immutable for unsuspended job once set");
  }
  if (isTrue(old, "Complete") && status["completionTime"] !== undefined) {
    validateKept("completionTime", "field is immutable");
  }
  for (const type of ["Complete", "Failed", "FailureTarget", "SuccessCriteriaMet"]) {
    if (isTrue(old, type) && !isTrue(job, type)) {
      const terminal = type === "SuccessCriteriaMet" ? "" : "terminal ";
      errors.push(wrongConditions(`cannot disable the ${terminal}${type}=True condition`));
    }
  }
  validateNotLess("failed");
  if (completionMode !== "Indexed") {
    validateNotLess("succeeded");
  }
}
