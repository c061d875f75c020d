import type { ApiObject } from "../../../objects/api-object.js";
import type { JsonObject } from "../../../objects/json-value.js";
import { specOf } from "../../../objects/parts.js";
import { templateWarnings } from "../../pod-spec/pod-warnings.js";
import { isRestated, podNameWarnings } from "../../workloads/workload-warnings.js";

/** Completions and parallelism above which a Job's indexes can't be tracked reliably. */
const maxIndexes = 100_000;
const maxParallel = 10_000;

/** Returns warnings about a Job. */
export function jobWarnings(job: ApiObject, old: ApiObject | undefined): string[] {
  return [
    ...podNameWarnings(job, old),
    ...(isRestated(job, old) ? jobSpecWarnings(specOf(job), "spec") : []),
  ];
}

/** Returns warnings about the spec of a Job or of a CronJob's template. */
export function jobSpecWarnings(spec: JsonObject, path: string): string[] {
  const isLarge =
    spec["completionMode"] === "Indexed" &&
    Number(spec["completions"] ?? 0) > maxIndexes &&
    Number(spec["parallelism"] ?? 0) > maxParallel;
  return [
    ...(isLarge
      ? [
          `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
        ]
      : []),
    ...templateWarnings(spec["template"], `${path}.template`),
  ];
}
