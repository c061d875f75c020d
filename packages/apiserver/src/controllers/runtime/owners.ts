import type { ServerContext } from "../../context/server-context.js";
import type { ApiObject } from "../../objects/api-object.js";
import type { OwnerReference } from "../../objects/owner-references.js";
import { isGoing } from "../../objects/owner-references.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { objectKey } from "../../store/store.js";

/** State of an owner: it exists (`solid`), waits for its dependents to be deleted, is absent, or can't be determined. */
export type OwnerState = "absent" | "solid" | "unknown" | "waiting";

/** Looks up an owner by its reference: in the namespace of the dependent, or cluster-wide. */
export function ownerState(
  server: ServerContext,
  reference: OwnerReference,
  namespace: string,
): OwnerState {
  const resource = resourceOfKind(server, reference);
  if (resource === undefined || (resource.namespaced && namespace === "")) {
    return "unknown";
  }
  const key = objectKey(resource.namespaced ? namespace : "", reference.name);
  const owner = server.store.collection(resource.storage).get(key);
  if (owner === undefined || owner.metadata.uid !== reference.uid) {
    return "absent";
  }
  return isWaiting(owner) ? "waiting" : "solid";
}

/** Returns whether an object is in foreground deletion, which waits for its dependents. */
export function isWaiting(object: ApiObject): boolean {
  return isGoing(object) && (object.metadata.finalizers ?? []).includes("foregroundDeletion");
}

const kinds = new WeakMap<readonly ServedResource[], Map<string, ServedResource>>();

/** Returns the resource of an owner reference; `undefined` when the server does not have it. */
export function resourceOfKind(
  { registry }: ServerContext,
  { apiVersion, kind }: Pick<OwnerReference, "apiVersion" | "kind">,
): ServedResource | undefined {
  const { resources } = registry;
  let known = kinds.get(resources);
  if (known === undefined) {
    known = new Map(resources.map((one) => [`${one.descriptor.apiVersion} ${one.kind}`, one]));
    kinds.set(resources, known);
  }
  return known.get(`${apiVersion} ${kind}`);
}
