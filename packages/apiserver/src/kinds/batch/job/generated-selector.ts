import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { isJsonObject, jsonEqual, omitKeys } from "../../../objects/json-value.js";
import { mapOf, specOf, withSpec } from "../../../objects/parts.js";

const prefix = "batch.kubernetes.io/";
const uidLabel = `${prefix}controller-uid`;

/** Generates the pod selector of a Job from its UID, unless `manualSelector` is set. */
export function withGeneratedSelector(job: ApiObject): ApiObject {
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

/** Appends an error if the selector is not generated from the Job's UID, unless `manualSelector` is set. */
export function validateGeneratedSelector(job: ApiObject, errors: FieldErrors): void {
  const { selector, manualSelector } = specOf(job);
  const generated = { matchLabels: { [uidLabel]: job.metadata.uid } };
  if (manualSelector !== true && isJsonObject(selector) && !jsonEqual(selector, generated)) {
    errors.push(cause.invalid("spec.selector", selector, "`selector` not auto-generated"));
  }
}
