import type { ApiObject } from "../../objects/api-object.js";
import { getPath } from "../../objects/json-value.js";
import { controllerOf, type OwnerReference } from "../../objects/owner-references.js";
import { objectKey } from "../../store/store.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { resourceOfKind } from "../runtime/owners.js";

/** Paths of the replicas by storage of a pod's controller. A ReplicaSet owned by a Deployment counts as the Deployment. */
const scaled: Readonly<Record<string, readonly string[]>> = {
  replicationcontrollers: ["spec", "replicas"],
  "replicasets.apps": ["spec", "replicas"],
  "deployments.apps": ["spec", "replicas"],
  "statefulsets.apps": ["spec", "replicas"],
};

/**
 * Adds up the replicas of the controllers of all pods. Pods without a controller don't count.
 *
 * @returns a message instead when a controller has no scale.
 */
export function expectedScale(
  parts: ControllerParts,
  pods: readonly ApiObject[],
): { readonly count: number } | { readonly problem: string } {
  const scales = new Map<string, number>();
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (owner !== undefined) {
      const found = scaleOf(parts, owner, pod.metadata.namespace ?? "");
      if (found === undefined) {
        return { problem: `found no controllers for pod ${JSON.stringify(pod.metadata.name)}` };
      }
      scales.set(found.uid, found.replicas);
    }
  }
  return { count: [...scales.values()].reduce((sum, replicas) => sum + replicas, 0) };
}

function scaleOf(
  parts: ControllerParts,
  reference: OwnerReference,
  namespace: string,
): { readonly uid: string; readonly replicas: number } | undefined {
  const { server } = parts;
  const resource = resourceOfKind(server, reference);
  const path = resource && (scaled[resource.storage] ?? resource.defined?.scale?.specReplicas);
  if (resource === undefined || path === undefined) {
    return undefined;
  }
  const owner = server.store
    .collection(resource.storage)
    .get(objectKey(resource.namespaced ? namespace : "", reference.name));
  if (owner === undefined || owner.metadata.uid !== reference.uid) {
    return undefined;
  }
  const above = resource.storage === "replicasets.apps" ? controllerOf(owner) : undefined;
  return (
    (above?.kind === "Deployment" ? scaleOf(parts, above, namespace) : undefined) ?? {
      uid: reference.uid,
      replicas: Number(getPath(owner, ...path) ?? 0),
    }
  );
}
