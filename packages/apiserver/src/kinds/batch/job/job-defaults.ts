import type { ApiObject } from "../../../objects/api-object.js";
import type { JsonObject } from "../../../objects/json-value.js";
import { mapOf, specOf, withSpec } from "../../../objects/parts.js";

/** Fills in the defaults of a Job. Job templates of CronJobs get theirs when the Job is created. */
export function withJobDefaults(job: ApiObject): ApiObject {
  const spec = specOf(job);
  const isPlain = isAbsent(spec["completions"]) && isAbsent(spec["parallelism"]);
  const filled: JsonObject = {
    parallelism: 1,
    ...(isPlain ? { completions: 1 } : {}),
    backoffLimit: isAbsent(spec["backoffLimitPerIndex"]) ? 6 : 0x7fffffff,
    completionMode: "NonIndexed",
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: isAbsent(spec["podFailurePolicy"]) ? "TerminatingOrFailed" : "Failed",
  };
  const missing = Object.keys(filled).filter((key) => isAbsent(spec[key]));
  const labels = mapOf(mapOf(mapOf(spec["template"])["metadata"])["labels"]);
  const { metadata } = job;
  const isUnlabelled = Object.keys(metadata.labels ?? {}).length === 0;
  const labelled =
    isUnlabelled && Object.keys(labels).length > 0
      ? { ...job, metadata: { ...metadata, labels: labels as Record<string, string> } }
      : job;
  return missing.length === 0
    ? labelled
    : withSpec(labelled, Object.fromEntries(missing.map((key) => [key, filled[key]])));
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
