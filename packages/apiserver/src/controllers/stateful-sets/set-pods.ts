import { StatusError } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { getPath, type JsonObject } from "../../objects/json-value.js";
import { isGoing } from "../../objects/owner-references.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { podOf } from "../pods/pods.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { claimNameOf } from "./claim-retention.js";
import { claimStorage, revisionLabel } from "./set-facts.js";

const source = { component: "statefulset-controller" } as const;

/** Creates the pod with a number, and the claims of its volumes unless they exist. */
export function createSetPod(
  context: ControllerParts,
  set: ApiObject,
  number: number,
  revision: string,
): void {
  const name = `${set.metadata.name}-${number}`;
  const volumes = objectsOf(specOf(set)["volumeClaimTemplates"]).map((template) => {
    const claimName = claimNameOf(template, name);
    if (context.writer.get(claimStorage, set.metadata.namespace ?? "", claimName) === undefined) {
      const claim = claimOf(set, template, claimName);
      create(context, set, claimStorage, claim, `Claim ${claimName} Pod ${name}`);
    }
    return { name: mapOf(template["metadata"])["name"], persistentVolumeClaim: { claimName } };
  });
  create(context, set, "pods", setPodOf(set, number, revision, volumes), `Pod ${name}`);
}

/** Deletes a pod of a set. */
export function removeSetPod(
  { writer, events }: ControllerParts,
  set: ApiObject,
  pod: ApiObject,
): void {
  writer.delete("pods", pod, { uid: pod.metadata.uid });
  if (!isGoing(pod)) {
    const message = `Delete Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} successful`;
    events.record(set, { reason: "SuccessfulDelete", message }, source);
  }
}

/** Creates an object of a set and records the success or failure as an Event. */
function create(
  { writer, events }: ControllerParts,
  set: ApiObject,
  storage: string,
  object: ApiObject,
  what: string,
): void {
  const subject = `Create ${what} in StatefulSet ${set.metadata.name}`;
  try {
    writer.create(storage, object);
    const success = storage === claimStorage ? "success" : "successful";
    events.record(set, { reason: "SuccessfulCreate", message: `${subject} ${success}` }, source);
  } catch (error) {
    if (error instanceof StatusError) {
      const message = `${subject} failed error: ${error.message}`;
      events.record(set, { type: "Warning", reason: "FailedCreate", message }, source);
    }
    throw error;
  }
}

/** Returns the claim of a template for one pod. */
function claimOf(set: ApiObject, template: JsonObject, name: string): ApiObject {
  const { labels, annotations } = mapOf(template["metadata"]);
  const selected = mapOf(getPath(set, "spec", "selector", "matchLabels"));
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name,
      namespace: set.metadata.namespace ?? "",
      labels: { ...mapOf(labels), ...selected },
      annotations,
    },
    spec: template["spec"],
  } as ApiObject;
}

/** Returns the pod with a number; the volumes of its claims replace those of the template with the same names. */
function setPodOf(
  set: ApiObject,
  number: number,
  revision: string,
  volumes: readonly JsonObject[],
): ApiObject {
  const name = `${set.metadata.name}-${number}`;
  const pod = podOf(set);
  const spec = specOf(pod);
  const others = objectsOf(spec["volumes"]).filter(
    (one) => !volumes.some(({ name: taken }) => taken === one["name"]),
  );
  const { serviceName } = specOf(set);
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      generateName: `${set.metadata.name}-`,
      name,
      labels: {
        ...pod.metadata.labels,
        "apps.kubernetes.io/pod-index": String(number),
        [revisionLabel]: revision,
        "statefulset.kubernetes.io/pod-name": name,
      },
    },
    spec: {
      ...spec,
      hostname: name,
      ...(serviceName === undefined ? {} : { subdomain: serviceName }),
      ...(volumes.length + others.length > 0 ? { volumes: [...volumes, ...others] } : {}),
    },
  };
}
