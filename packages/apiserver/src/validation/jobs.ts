import { mapOf, specOf } from "../kinds/parts.js";
import { cause } from "../response/status-errors.js";
import { isJsonObject, type JsonObject } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";
import { type Causes, isUnset, labelTexts, notNegative, oneOf } from "./checks.js";
import { scheduleText } from "./cron-schedule.js";
import { shorterName } from "./metadata.js";
import { templateCauses } from "./pod-spec.js";
import { selects } from "./selectors.js";

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

/** What is wrong with a Job. */
export function jobCauses(job: ApiObject): Causes {
  const spec = specOf(job);
  const { selector, manualSelector, template } = spec;
  const labels = mapOf(mapOf(template)["metadata"])["labels"];
  const generated = { matchLabels: { [uidLabel]: job.metadata.uid } };
  const isOwn = manualSelector === true;
  const isForeign =
    !isOwn && isJsonObject(selector) && JSON.stringify(selector) !== JSON.stringify(generated);
  return [
    ...jobSpecCauses(spec, "spec"),
    ...(isJsonObject(selector) ? [] : [cause.required("spec.selector")]),
    ...(isForeign
      ? [cause.invalid("spec.selector", selector, "`selector` not auto-generated")]
      : []),
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

/** A pod for each index is named after the job, and is a host by that name. */
export function newJobCauses({ metadata: { name = "" }, ...job }: ApiObject): Causes {
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

function jobSpecCauses(spec: JsonObject, field: string): Causes {
  const { completionMode, completions, template } = spec;
  const { restartPolicy } = mapOf(mapOf(template)["spec"]);
  const isIndexed = completionMode === "Indexed";
  const isEndless = restartPolicy === "Always" || isUnset(restartPolicy);
  return [
    ...numbers.flatMap((key) => notNegative(`${field}.${key}`, spec[key])),
    ...oneOf(`${field}.completionMode`, completionMode, ["NonIndexed", "Indexed"]),
    ...(isIndexed && isUnset(completions)
      ? [cause.required(`${field}.completions`, "when completion mode is Indexed")]
      : []),
    ...(!isIndexed && !isUnset(spec["backoffLimitPerIndex"])
      ? [
          cause.invalid(
            `${field}.backoffLimitPerIndex`,
            spec["backoffLimitPerIndex"],
            "requires indexed completion mode",
          ),
        ]
      : []),
    ...oneOf(`${field}.podReplacementPolicy`, spec["podReplacementPolicy"], [
      "Failed",
      "TerminatingOrFailed",
    ]),
    ...templateCauses(template, `${field}.template`),
    ...(isEndless
      ? [
          cause.required(
            `${field}.template.spec.restartPolicy`,
            'valid values: "OnFailure", "Never"',
          ),
        ]
      : []),
  ];
}

/** A job has eleven characters more in its name than its schedule. */
const maxNameOfCronJob = 52;

/** What is wrong with a CronJob. */
export function cronJobCauses(object: ApiObject): Causes {
  const spec = specOf(object);
  const { schedule, timeZone } = spec;
  const wrong = isUnset(schedule) ? undefined : scheduleText(String(schedule));
  const inner = mapOf(mapOf(spec["jobTemplate"])["spec"]);
  return [
    ...(isUnset(schedule) ? [cause.required("spec.schedule")] : []),
    ...(wrong === undefined ? [] : [cause.invalid("spec.schedule", schedule, wrong)]),
    ...zoneCauses(timeZone),
    ...notNegative("spec.startingDeadlineSeconds", spec["startingDeadlineSeconds"]),
    ...oneOf("spec.concurrencyPolicy", spec["concurrencyPolicy"], ["Allow", "Forbid", "Replace"]),
    ...jobSpecCauses(inner, "spec.jobTemplate.spec"),
    ...(inner["manualSelector"] === true
      ? [cause.notSupported("spec.jobTemplate.spec.manualSelector", true, ["nil", "false"])]
      : []),
    ...notNegative("spec.successfulJobsHistoryLimit", spec["successfulJobsHistoryLimit"]),
    ...notNegative("spec.failedJobsHistoryLimit", spec["failedJobsHistoryLimit"]),
    ...shorterName(object, maxNameOfCronJob),
  ];
}

function zoneCauses(zone: unknown): Causes {
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
