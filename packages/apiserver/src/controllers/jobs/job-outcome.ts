import type { ApiObject } from "../../objects/api-object.js";
import { findCondition } from "../../objects/conditions.js";
import { specOf } from "../../objects/parts.js";

export const jobStorage = "jobs.batch";

/** Outcome of a finished Job. */
export interface JobOutcome {
  readonly type: "Complete" | "Failed";
  readonly reason: string;
  readonly message: string;
}

/** Pod counts of a Job. */
export interface JobCounts {
  readonly active: number;
  readonly succeeded: number;
  readonly failed: number;
}

/** Returns the outcome of a Job; `undefined` while it continues. */
export function outcomeOf(job: ApiObject, counts: JobCounts, now: number): JobOutcome | undefined {
  const { completions, backoffLimit } = specOf(job);
  if (counts.failed > Number(backoffLimit ?? 6)) {
    return {
      type: "Failed",
      reason: "BackoffLimitExceeded",
      message: "Job has reached the specified backoff limit",
    };
  }
  if (deadlineIn(job, now) === 0) {
    return {
      type: "Failed",
      reason: "DeadlineExceeded",
      message: "Job was active longer than specified deadline",
    };
  }
  const isDone =
    completions === undefined
      ? counts.succeeded > 0 && counts.active === 0
      : counts.succeeded >= Number(completions);
  return isDone
    ? {
        type: "Complete",
        reason: "CompletionsReached",
        message: "Reached expected number of succeeded pods",
      }
    : undefined;
}

/** Returns the milliseconds until a Job's active deadline; 0 once it has passed, `undefined` without a deadline. */
export function deadlineIn(job: ApiObject, now: number): number | undefined {
  const { activeDeadlineSeconds, suspend } = specOf(job);
  const start = Date.parse(
    String((job["status"] as { startTime?: unknown } | undefined)?.startTime),
  );
  return activeDeadlineSeconds === undefined || suspend === true || Number.isNaN(start)
    ? undefined
    : Math.max(0, start + Number(activeDeadlineSeconds) * 1_000 - now);
}

/** Returns whether a Job is finished. */
export function isOver(job: ApiObject): boolean {
  return ["Complete", "Failed"].some((type) => findCondition(job, type)?.["status"] === "True");
}
