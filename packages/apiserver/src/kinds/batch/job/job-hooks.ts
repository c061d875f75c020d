import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, omitKeys } from "../../../objects/json-value.js";
import { mapOf, specOf, withSpec } from "../../../objects/parts.js";
import type { StrategyDelete } from "../../../resources/kind-strategy.js";

const prefix = "batch.kubernetes.io/";
const uidLabel = `${prefix}controller-uid`;

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

/** Generates the pod selector of a Job from its UID, unless `manualSelector` is set. */
export function withSelector(job: ApiObject): ApiObject {
  const spec = specOf(job);
  if (spec["manualSelector"] === true) {
    return job;
  }
  const { name = "", uid = "" } = job.metadata;
  const labels = {
    [uidLabel]: uid,
    [`${prefix}job-name`]: name,
    "controller-uid": uid,
    "job-name": name,
  };
  const template = mapOf(spec["template"]);
  const metadata = mapOf(template["metadata"]);
  const selector = mapOf(spec["selector"]);
  const templateLabels = { ...mapOf(metadata["labels"]), ...labels };
  // If the labels were defaulted from the template, both are one map in Go and here, so labels added to the template
  // also appear on the Job. Equal labels that the Job set itself are a separate map.
  const { labels: own } = job.metadata;
  const isShared = own === undefined || own === metadata["labels"];
  return {
    ...withSpec(job, {
      selector: {
        ...omitKeys(selector, "matchLabels"),
        matchLabels: { ...mapOf(selector["matchLabels"]), [uidLabel]: uid },
      },
      template: { ...template, metadata: { ...metadata, labels: templateLabels } },
    }),
    metadata: isShared
      ? { ...job.metadata, labels: templateLabels as Record<string, string> }
      : job.metadata,
  };
}

/** Warns that a delete without a propagation policy keeps the pods. */
export function orphanWarnings({ propagationPolicy }: StrategyDelete): string[] {
  return propagationPolicy === undefined
    ? [
        "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
      ]
    : [];
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
