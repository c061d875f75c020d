import { mapOf, objectsOf, specOf } from "../../kinds/parts.js";
import { getPath, type JsonObject } from "../../store/json-value.js";
import type { ApiObject } from "../../store/stored-object.js";
import { isGoing } from "../owner-references.js";
import { phaseOf, podOf } from "../pods.js";

/** Holds a pod until its Job has counted it. */
export const trackingFinalizer = "batch.kubernetes.io/job-tracking";
const indexKey = "batch.kubernetes.io/job-completion-index";

/** Whether the pods of a Job are numbered. */
export function isIndexed(job: ApiObject): boolean {
  return specOf(job)["completionMode"] === "Indexed";
}

/** The number of a pod of an indexed Job. */
export function indexOf(pod: ApiObject): number {
  return Number(pod.metadata.annotations?.[indexKey] ?? -1);
}

/** A pod of a Job, as the Job describes it; of an indexed one with its number. */
export function jobPod(job: ApiObject, index: number | undefined): ApiObject {
  const pod = podOf(job);
  const { metadata } = pod;
  const held = { ...metadata, finalizers: [...(metadata.finalizers ?? []), trackingFinalizer] };
  if (index === undefined) {
    return { ...pod, metadata: held };
  }
  const { name } = job.metadata;
  const spec = specOf(pod);
  const variable = {
    name: "JOB_COMPLETION_INDEX",
    valueFrom: { fieldRef: { fieldPath: `metadata.labels['${indexKey}']` } },
  };
  const withVariable = (container: JsonObject) => ({
    ...container,
    env: [...objectsOf(container["env"]), variable],
  });
  return {
    ...pod,
    metadata: {
      ...held,
      generateName: `${name}-${index}-`,
      labels: { ...metadata.labels, [indexKey]: String(index) },
      annotations: { ...metadata.annotations, [indexKey]: String(index) },
    },
    spec: {
      ...spec,
      hostname: spec["hostname"] ?? `${name}-${index}`,
      containers: objectsOf(spec["containers"]).map(withVariable),
    },
  };
}

/** Whether a pod counts as failed: so do those that go before they are done. */
export function hasFailed(pod: ApiObject, policy: unknown): boolean {
  const phase = phaseOf(pod);
  return phase === "Failed" || (isGoing(pod) && phase !== "Succeeded" && policy !== "Failed");
}

/** When the last container of a pod ended, in milliseconds; `undefined` where none tells. */
export function endedAt(pod: ApiObject): number | undefined {
  const ends = objectsOf(getPath(pod, "status", "containerStatuses"))
    .map((one) => Date.parse(String(mapOf(mapOf(one["state"])["terminated"])["finishedAt"] ?? "")))
    .filter((end) => !Number.isNaN(end));
  return ends.length === 0 ? undefined : Math.max(...ends);
}
