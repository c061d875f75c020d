import type { FieldErrors } from "../../../errors/field-errors.js";
import { cause } from "../../../errors/status-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { isJsonObject, type JsonObject, jsonEqual } from "../../../objects/json-value.js";
import { mapOf, specOf } from "../../../objects/parts.js";
import {
  isUnset,
  validateGivenOneOf,
  validateNotNegative,
  validateOneOf,
  validateRequired,
} from "../../../phases/validate/checks.js";
import { validateShorterName } from "../../../phases/validate/metadata.js";
import { labelTexts } from "../../../phases/validate/name-texts.js";
import { readSchedule } from "../../fields/cron-schedule.js";
import { selects } from "../../fields/selectors.js";
import { validateTemplate } from "../../pod-spec/validate-pod-spec.js";
import {
  validateFailurePolicy,
  validateManager,
  validateReplacement,
  validateSuccessPolicy,
} from "./job-policies.js";

const numbers = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
];
const uidLabel = "batch.kubernetes.io/controller-uid";

/** Appends the field errors of a Job. */
export function validateJob(job: ApiObject, errors: FieldErrors): void {
  const spec = specOf(job);
  const { selector, template } = spec;
  const labels = mapOf(mapOf(template)["metadata"])["labels"];
  validateJobSpec(spec, "spec", errors);
  if (!isJsonObject(selector)) {
    errors.push(cause.required("spec.selector"));
  }
  if (!selects(selector, labels)) {
    errors.push(
      cause.invalid(
        "spec.template.metadata.labels",
        labels ?? null,
        "`selector` does not match template `labels`",
      ),
    );
  }
}

/** Appends the field errors that apply only when a Job is created. */
export function validateNewJob(job: ApiObject, errors: FieldErrors): void {
  validateGeneratedSelector(job, errors);
  validateIndexName(job, errors);
}

/** Checks that the selector is generated from the Job's UID, unless `manualSelector` is set. */
function validateGeneratedSelector(job: ApiObject, errors: FieldErrors): void {
  const { selector, manualSelector } = specOf(job);
  const generated = { matchLabels: { [uidLabel]: job.metadata.uid } };
  if (manualSelector !== true && isJsonObject(selector) && !jsonEqual(selector, generated)) {
    errors.push(cause.invalid("spec.selector", selector, "`selector` not auto-generated"));
  }
}

/** Checks that pod names, derived from the name of an indexed Job, are valid host names. */
function validateIndexName(
  { metadata: { name = "" }, ...job }: ApiObject,
  errors: FieldErrors,
): void {
  const { completionMode, completions } = specOf(job);
  const last = `${name}-${Number(completions) - 1}`;
  if (completionMode === "Indexed" && Number(completions) > 0 && labelTexts(last).length > 0) {
    errors.push(
      cause.invalid(
        "metadata.name",
        name,
        `will not able to create pod with invalid DNS label: ${last}`,
      ),
    );
  }
}

function validateJobSpec(spec: JsonObject, path: string, errors: FieldErrors): void {
  const { completionMode, backoffLimitPerIndex, maxFailedIndexes, template } = spec;
  for (const key of numbers) {
    validateNotNegative(spec[key], `${path}.${key}`, errors);
  }
  if (isUnset(backoffLimitPerIndex) && !isUnset(maxFailedIndexes)) {
    errors.push(
      cause.required(`${path}.backoffLimitPerIndex`, "when maxFailedIndexes is specified"),
    );
  }
  validateManager(spec["managedBy"], `${path}.managedBy`, errors);
  validateGivenOneOf(completionMode, ["NonIndexed", "Indexed"], `${path}.completionMode`, errors);
  if (completionMode === "Indexed") {
    validateIndexedJob(spec, path, errors);
  }
  if (completionMode === "NonIndexed") {
    validateUnindexedJob(spec, path, errors);
  }
  validateFailurePolicy(spec, `${path}.podFailurePolicy`, errors);
  validateSuccessPolicy(spec, `${path}.successPolicy`, errors);
  validateReplacement(spec, `${path}.podReplacementPolicy`, errors);
  validateTemplate(template, `${path}.template`, errors);
  validateRestartPolicy(spec, `${path}.template.spec.restartPolicy`, errors);
}

function validateIndexedJob(
  { completions, maxFailedIndexes }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  if (isUnset(completions)) {
    errors.push(cause.required(`${path}.completions`, "when completion mode is Indexed"));
  } else if (Number(maxFailedIndexes ?? 0) > Number(completions)) {
    errors.push(
      cause.invalid(
        `${path}.maxFailedIndexes`,
        maxFailedIndexes,
        "must be less than or equal to completions",
      ),
    );
  }
}

function validateUnindexedJob(spec: JsonObject, path: string, errors: FieldErrors): void {
  for (const key of ["backoffLimitPerIndex", "maxFailedIndexes"]) {
    if (!isUnset(spec[key])) {
      errors.push(cause.invalid(`${path}.${key}`, spec[key], "requires indexed completion mode"));
    }
  }
}

/** Checks that the restart policy lets a Job's pods terminate. */
function validateRestartPolicy(
  { template, podFailurePolicy }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const { restartPolicy } = mapOf(mapOf(template)["spec"]);
  if (restartPolicy === "Always" || isUnset(restartPolicy)) {
    errors.push(cause.required(path, 'valid values: "OnFailure", "Never"'));
    return;
  }
  validateOneOf(restartPolicy, ["OnFailure", "Never"], path, errors);
  if (isJsonObject(podFailurePolicy) && restartPolicy === "OnFailure") {
    errors.push(
      cause.invalid(
        path,
        restartPolicy,
        'only "Never" is supported when podFailurePolicy is specified',
      ),
    );
  }
}

/** Maximum name length of a CronJob: a Job's name is eleven characters longer. */
const maxNameOfCronJob = 52;

/** Appends the field errors of a CronJob. An unchanged time zone is not validated: another server may have known it. */
export function validateCronJob(object: ApiObject, errors: FieldErrors, before?: ApiObject): void {
  const spec = specOf(object);
  const { schedule, timeZone } = spec;
  const wrong = isUnset(schedule) ? undefined : readSchedule(String(schedule)).problem;
  const inner = mapOf(mapOf(spec["jobTemplate"])["spec"]);
  validateJobSpec(inner, "spec.jobTemplate.spec", errors);
  validateRequired(schedule, "spec.schedule", errors);
  if (wrong !== undefined) {
    errors.push(cause.invalid("spec.schedule", schedule, wrong));
  }
  if (before === undefined || specOf(before)["timeZone"] !== timeZone) {
    validateTimeZone(timeZone, errors);
  }
  validateNotNegative(spec["startingDeadlineSeconds"], "spec.startingDeadlineSeconds", errors);
  validateOneOf(
    spec["concurrencyPolicy"],
    ["Allow", "Forbid", "Replace"],
    "spec.concurrencyPolicy",
    errors,
  );
  if (inner["manualSelector"] === true) {
    errors.push(cause.notSupported("spec.jobTemplate.spec.manualSelector", true, ["nil", "false"]));
  }
  validateNotNegative(
    spec["successfulJobsHistoryLimit"],
    "spec.successfulJobsHistoryLimit",
    errors,
  );
  validateNotNegative(spec["failedJobsHistoryLimit"], "spec.failedJobsHistoryLimit", errors);
  validateShorterName(object, maxNameOfCronJob, errors);
}

function validateTimeZone(zone: unknown, errors: FieldErrors): void {
  if (zone === undefined || zone === null) {
    return;
  }
  const name = String(zone);
  const why =
    name === ""
      ? "timeZone must be nil or non-empty string"
      : name.toLowerCase() === "local"
        ? "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"
        : isTimeZone(name)
          ? undefined
          : `unknown time zone ${name}`;
  if (why !== undefined) {
    errors.push(cause.invalid("spec.timeZone", zone, why));
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
