import type { ServerContext } from "../../context/server-context.js";
import { badRequest, conflict, failure } from "../../errors/status-errors.js";
import type { ApiObject, ObjectMetadata } from "../../objects/api-object.js";
import { getPath, isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { timestamp } from "../../objects/timestamp.js";

/** Checks that a Binding matches the pod in the URL and names a node. */
export function assertBinding(binding: JsonObject, name: string): void {
  assertOfName(binding, name, "Binding");
  const kind = getPath(binding, "target", "kind") ?? "";
  const mistakes = [
    ...(kind === "" || kind === "Node"
      ? []
      : [
          `target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`,
        ]),
    ...(getPath(binding, "target", "name") ? [] : ["target.name: Required value"]),
  ];
  if (mistakes.length > 0) {
    const all = mistakes.join(", ");
    throw failure(500, undefined, mistakes.length === 1 ? all : `[${all}]`);
  }
}

/** Checks that an object created below another one names that object. */
export function assertOfName(body: JsonObject, name: string, kind: string): void {
  if (getPath(body, "metadata", "name") !== name) {
    throw badRequest(`name in URL does not match name in ${kind} object`);
  }
}

/** Assigns a pod to the node of a Binding, like a scheduler: only once, and not while the pod is gated or being deleted. */
export function boundPod(
  { clock }: Pick<ServerContext, "clock">,
  pod: ApiObject,
  binding: JsonObject,
): ApiObject {
  const { name = "", namespace = "", uid = "", deletionTimestamp } = pod.metadata;
  const meant = getPath(binding, "metadata", "uid") ?? "";
  if (meant !== "" && meant !== uid) {
    const why = `StorageError: invalid object, Code: 4, Key: /registry/pods/${namespace}/${name}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${meant}, UID in object meta: ${uid}`;
    throw conflict("", "pods", name, why);
  }
  const spec = isJsonObject(pod["spec"]) ? pod["spec"] : {};
  const status = isJsonObject(pod["status"]) ? pod["status"] : {};
  const current = spec["nodeName"] ?? "";
  if (deletionTimestamp !== undefined) {
    const why = `pod ${name} is being deleted, cannot be assigned to a host`;
    throw conflict("", "pods/binding", name, why);
  }
  if (current !== "") {
    const why = `pod ${name} is already assigned to node ${JSON.stringify(current)}`;
    throw conflict("", "pods/binding", name, why);
  }
  if (objectsOf(spec["schedulingGates"]).length > 0) {
    throw conflict("", "pods/binding", name, `pod ${name} has non-empty .spec.schedulingGates`);
  }
  const scheduled = {
    type: "PodScheduled",
    status: "True",
    lastProbeTime: null,
    lastTransitionTime: timestamp(clock),
  };
  const conditions = Array.isArray(status["conditions"]) ? status["conditions"] : [];
  const others = conditions.filter((condition) => getPath(condition, "type") !== scheduled.type);
  const given = mapOf(binding["metadata"]);
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      ...merged("labels", pod.metadata, given),
      ...merged("annotations", pod.metadata, given),
    },
    spec: { ...spec, nodeName: getPath(binding, "target", "name") },
    status: { ...status, conditions: [...others, scheduled] },
  };
}

/** Merges the labels or annotations of a Binding into those of the pod. */
function merged(
  key: "annotations" | "labels",
  before: ObjectMetadata,
  given: JsonObject,
): ObjectMetadata {
  const more = mapOf(given[key]);
  return Object.keys(more).length === 0 ? {} : { [key]: { ...before[key], ...more } };
}
