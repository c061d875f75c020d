import type { ApiObject } from "../../objects/api-object.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { labelNameWarnings } from "../fields/name-warnings.js";
import { templateWarnings } from "../pod-spec/pod-warnings.js";
import { claimSpecWarnings } from "../volumes/volume-warnings.js";

/** Completions and parallelism above which a Job's indexes can't be tracked reliably. */
const maxIndexes = 100_000;
const maxParallel = 10_000;

/** Returns whether a write changes the generation; `before` is undefined for a new object. */
function isRestated(object: ApiObject, before: ApiObject | undefined): boolean {
  return object.metadata.generation !== before?.metadata.generation;
}

/** Returns warnings about a controller whose name is the prefix of its pods' names. */
export function controllerWarnings(object: ApiObject, before: ApiObject | undefined): string[] {
  return [
    ...(before === undefined ? labelNameWarnings(object, "Pod names and hostnames") : []),
    ...daemonSetWarnings(object, before),
  ];
}

/** Returns warnings about a DaemonSet; its name causes none. */
export function daemonSetWarnings(object: ApiObject, before: ApiObject | undefined): string[] {
  return isRestated(object, before)
    ? templateWarnings(specOf(object)["template"], "spec.template")
    : [];
}

/** Returns warnings about a StatefulSet. */
export function statefulSetWarnings(object: ApiObject, before: ApiObject | undefined): string[] {
  const { volumeClaimTemplates, revisionHistoryLimit } = specOf(object);
  return [
    ...daemonSetWarnings(object, before),
    ...objectsOf(volumeClaimTemplates).flatMap((claim, at) => {
      const field = `spec.volumeClaimTemplates[${at}]`;
      return claimSpecWarnings(specOf(claim), before === undefined ? field : `${field}.Spec`);
    }),
    ...(Number(revisionHistoryLimit ?? 0) < 0
      ? [
          "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended",
        ]
      : []),
  ];
}

/** Returns warnings about a PodTemplate object. */
export function podTemplateWarnings(object: ApiObject, before: ApiObject | undefined): string[] {
  return isRestated(object, before) ? templateWarnings(object["template"], "template") : [];
}

/** Returns warnings about a Job. */
export function jobWarnings(job: ApiObject, before: ApiObject | undefined): string[] {
  return [
    ...(before === undefined ? labelNameWarnings(job, "Pod names and hostnames") : []),
    ...(isRestated(job, before) ? jobSpecWarnings(specOf(job), "spec") : []),
  ];
}

/** Returns warnings about a CronJob. */
export function cronJobWarnings(cronJob: ApiObject, before: ApiObject | undefined): string[] {
  const { jobTemplate } = specOf(cronJob);
  return [
    ...(before === undefined ? labelNameWarnings(cronJob, "Pod names and hostnames") : []),
    ...(isRestated(cronJob, before)
      ? jobSpecWarnings(specOf(mapOf(jobTemplate)), "spec.jobTemplate.spec")
      : []),
  ];
}

function jobSpecWarnings(spec: JsonObject, field: string): string[] {
  const isLarge =
    spec["completionMode"] === "Indexed" &&
    Number(spec["completions"] ?? 0) > maxIndexes &&
    Number(spec["parallelism"] ?? 0) > maxParallel;
  return [
    ...(isLarge
      ? [
          `${field}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
        ]
      : []),
    ...templateWarnings(spec["template"], `${field}.template`),
  ];
}
