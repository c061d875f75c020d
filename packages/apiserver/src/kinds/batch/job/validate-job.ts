import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { isJsonObject } from "../../../objects/json-value.js";
import { mapOf, specOf } from "../../../objects/parts.js";
import { selectsLabels } from "../../../objects/selects.js";
import { labelTexts } from "../../../phases/validate/name-texts.js";
import { labelMismatch } from "../../workloads/validate-workload.js";
import { validateGeneratedSelector } from "./generated-selector.js";
import { validateJobSpec } from "./job-spec.js";

/** Appends the field errors of a Job. */
export function validateJob(job: ApiObject, errors: FieldErrors): void {
  const spec = specOf(job);
  const { selector, template } = spec;
  const { labels } = mapOf(mapOf(template)["metadata"]);
  validateJobSpec(spec, "spec", errors);
  if (!isJsonObject(selector)) {
    errors.push(cause.required("spec.selector"));
  }
  if (!selectsLabels(selector, labels)) {
    errors.push(labelMismatch(labels));
  }
}

/** Appends the field errors that apply only when a Job is created. */
export function validateNewJob(job: ApiObject, errors: FieldErrors): void {
  validateGeneratedSelector(job, errors);
  validateIndexName(job, errors);
}

/** Checks that pod names, derived from the name of an indexed Job, are valid host names. */
function validateIndexName(
  { metadata: { name = "" }, ...job }: ApiObject,
  errors: FieldErrors,
): void {
  const { completionMode, completions } = specOf(job);
  const last = `${name}-${Number(completions) - 1}`;
  if (completionMode === "Indexed" && Number(completions) > 0 && labelTexts(last).length > 0) {
    const why = `will not able to create pod with invalid DNS label: ${last}`;
    errors.push(cause.invalid("metadata.name", name, why));
  }
}
