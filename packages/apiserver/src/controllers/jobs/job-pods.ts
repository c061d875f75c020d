import type { ApiObject } from "../../objects/api-object.js";
import { getPath, type JsonObject } from "../../objects/json-value.js";
import { isGoing, withoutFinalizer } from "../../objects/owner-references.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { phaseOf, podOf } from "../pods/pods.js";
import type { ControllerParts } from "../runtime/controller-parts.js";

/** Finalizer that keeps a pod until its Job has counted it. */
const trackingFinalizer = "batch.kubernetes.io/job-tracking";
const indexKey = "batch.kubernetes.io/job-completion-index";

/** Returns whether a pod is kept until its Job has counted it. */
export function isTracked({ metadata }: ApiObject): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) === true;
}

/** Removes the tracking finalizer of a pod, if the pod still exists. */
export function releasePod({ writer }: Pick<ControllerParts, "writer">, pod: ApiObject): void {
  const { namespace = "", name = "" } = pod.metadata;
  const current = writer.get("pods", namespace, name);
  if (current !== undefined && isTracked(current)) {
    writer.update("pods", withoutFinalizer(current, trackingFinalizer));
  }
}

/** Returns whether a Job has indexed completion. */
export function isIndexed(job: ApiObject): boolean {
  return specOf(job)["completionMode"] === "Indexed";
}

/** Returns the completion index of a pod; -1 without one. */
export function indexOf(pod: ApiObject): number {
  return Number(pod.metadata.annotations?.[indexKey] ?? -1);
}

/** Returns a pod from a Job's template, with its completion index for an indexed Job. */
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

/**
 * Returns whether a pod counts as failed. So do pods that are deleted before they succeed, unless the replacement
 * policy is `Failed`.
 */
export function hasFailed(pod: ApiObject, policy: unknown): boolean {
  const phase = phaseOf(pod);
  return phase === "Failed" || (isGoing(pod) && phase !== "Succeeded" && policy !== "Failed");
}

/** Returns when the last container of a pod ended, in milliseconds; `undefined` without a termination time. */
export function endedAt(pod: ApiObject): number | undefined {
  const ends = objectsOf(getPath(pod, "status", "containerStatuses"))
    .map((one) => Date.parse(String(mapOf(mapOf(one["state"])["terminated"])["finishedAt"] ?? "")))
    .filter((end) => !Number.isNaN(end));
  return ends.length === 0 ? undefined : Math.max(...ends);
}
