import type { FieldErrors } from "../../../errors/field-errors.js";
import { cause } from "../../../errors/status-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { isJsonObject, type JsonObject, jsonEqual } from "../../../objects/json-value.js";
import { mapOf, specOf } from "../../../objects/parts.js";
import { isUnset } from "../../../phases/validate/checks.js";
import { shorterName } from "../../../phases/validate/metadata.js";
import { labelTexts } from "../../../phases/validate/name-texts.js";
import { givenOneOf, notNegative, oneOf } from "../../../phases/validate/old-checks.js";
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

/** Returns the field errors of a Job. */
export function validateJob(job: ApiObject): FieldErrors {
  const spec = specOf(job);
  const { selector, template } = spec;
  const labels = mapOf(mapOf(template)["metadata"])["labels"];
  return [
    ...validateJobSpec(spec, "spec"),
    ...(isJsonObject(selector) ? [] : [cause.required("spec.selector")]),
    ...(selects(selector, labels)
      ? []
      : [
          cause.invalid(
            "spec.template.metadata.labels",
            labels ?? null,
            "`selector` does not match template `labels`",
          ),
        ]),
  ];
}

/** Returns the field errors that apply only when a Job is created. */
export function validateNewJob(job: ApiObject): FieldErrors {
  return [...validateGeneratedSelector(job), ...validateIndexName(job)];
}

/** Checks that the selector is generated from the Job's UID, unless `manualSelector` is set. */
function validateGeneratedSelector(job: ApiObject): FieldErrors {
  const { selector, manualSelector } = specOf(job);
  const generated = { matchLabels: { [uidLabel]: job.metadata.uid } };
  return manualSelector === true || !isJsonObject(selector) || jsonEqual(selector, generated)
    ? []
    : [cause.invalid("spec.selector", selector, "`selector` not auto-generated")];
}

/** Checks that pod names, derived from the name of an indexed Job, are valid host names. */
function validateIndexName({ metadata: { name = "" }, ...job }: ApiObject): FieldErrors {
  const { completionMode, completions } = specOf(job);
  const last = `${name}-${Number(completions) - 1}`;
  return completionMode === "Indexed" && Number(completions) > 0 && labelTexts(last).length > 0
    ? [
        cause.invalid(
          "metadata.name",
          name,
          `will not able to create pod with invalid DNS label: ${last}`,
        ),
      ]
    : [];
}

function validateJobSpec(spec: JsonObject, field: string): FieldErrors {
  const { completionMode, backoffLimitPerIndex, maxFailedIndexes, template } = spec;
  return [
    ...numbers.flatMap((key) => notNegative(`${field}.${key}`, spec[key])),
    ...(isUnset(backoffLimitPerIndex) && !isUnset(maxFailedIndexes)
      ? [cause.required(`${field}.backoffLimitPerIndex`, "when maxFailedIndexes is specified")]
      : []),
    ...validateManager(spec["managedBy"], `${field}.managedBy`),
    ...givenOneOf(`${field}.completionMode`, completionMode, ["NonIndexed", "Indexed"]),
    ...(completionMode === "Indexed" ? validateIndexedJob(spec, field) : []),
    ...(completionMode === "NonIndexed" ? validateUnindexedJob(spec, field) : []),
    ...validateFailurePolicy(spec, `${field}.podFailurePolicy`),
    ...validateSuccessPolicy(spec, `${field}.successPolicy`),
    ...validateReplacement(spec, `${field}.podReplacementPolicy`),
    ...validateTemplate(template, `${field}.template`),
    ...validateRestartPolicy(spec, `${field}.template.spec.restartPolicy`),
  ];
}

function validateIndexedJob(
  { completions, maxFailedIndexes }: JsonObject,
  field: string,
): FieldErrors {
  return isUnset(completions)
    ? [cause.required(`${field}.completions`, "when completion mode is Indexed")]
    : Number(maxFailedIndexes ?? 0) > Number(completions)
      ? [
          cause.invalid(
            `${field}.maxFailedIndexes`,
            maxFailedIndexes,
            "must be less than or equal to completions",
          ),
        ]
      : [];
}

function validateUnindexedJob(spec: JsonObject, field: string): FieldErrors {
  return ["backoffLimitPerIndex", "maxFailedIndexes"].flatMap((key) =>
    isUnset(spec[key])
      ? []
      : [cause.invalid(`${field}.${key}`, spec[key], "requires indexed completion mode")],
  );
}

/** Checks that the restart policy lets a Job's pods terminate. */
function validateRestartPolicy(
  { template, podFailurePolicy }: JsonObject,
  field: string,
): FieldErrors {
  const { restartPolicy } = mapOf(mapOf(template)["spec"]);
  if (restartPolicy === "Always" || isUnset(restartPolicy)) {
    return [cause.required(field, 'valid values: "OnFailure", "Never"')];
  }
  return [
    ...oneOf(field, restartPolicy, ["OnFailure", "Never"]),
    ...(isJsonObject(podFailurePolicy) && restartPolicy === "OnFailure"
      ? [
          cause.invalid(
            field,
            restartPolicy,
            'only "Never" is supported when podFailurePolicy is specified',
          ),
        ]
      : []),
  ];
}

/** Maximum name length of a CronJob: a Job's name is eleven characters longer. */
const maxNameOfCronJob = 52;

/** Returns the field errors of a CronJob. An unchanged time zone is not validated: another server may have known it. */
export function validateCronJob(object: ApiObject, before?: ApiObject): FieldErrors {
  const spec = specOf(object);
  const { schedule, timeZone } = spec;
  const wrong = isUnset(schedule) ? undefined : readSchedule(String(schedule)).problem;
  const inner = mapOf(mapOf(spec["jobTemplate"])["spec"]);
  return [
    ...validateJobSpec(inner, "spec.jobTemplate.spec"),
    ...(isUnset(schedule) ? [cause.required("spec.schedule")] : []),
    ...(wrong === undefined ? [] : [cause.invalid("spec.schedule", schedule, wrong)]),
    ...(before !== undefined && specOf(before)["timeZone"] === timeZone
      ? []
      : validateTimeZone(timeZone)),
    ...notNegative("spec.startingDeadlineSeconds", spec["startingDeadlineSeconds"]),
    ...oneOf("spec.concurrencyPolicy", spec["concurrencyPolicy"], ["Allow", "Forbid", "Replace"]),
    ...(inner["manualSelector"] === true
      ? [cause.notSupported("spec.jobTemplate.spec.manualSelector", true, ["nil", "false"])]
      : []),
    ...notNegative("spec.successfulJobsHistoryLimit", spec["successfulJobsHistoryLimit"]),
    ...notNegative("spec.failedJobsHistoryLimit", spec["failedJobsHistoryLimit"]),
    ...shorterName(object, maxNameOfCronJob),
  ];
}

function validateTimeZone(zone: unknown): FieldErrors {
  if (zone === undefined || zone === null) {
    return [];
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
  return why === undefined ? [] : [cause.invalid("spec.timeZone", zone, why)];
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
