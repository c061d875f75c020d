import type { ServedResource } from "../resources/served-resource.js";
import type { ServerContext } from "../server-context.js";
import { objectKey } from "../store/store.js";
import type { ApiObject } from "../store/stored-object.js";
import type { OwnerReference } from "./owner-references.js";
import { isGoing } from "./owner-references.js";

/** What is known of an owner: it stays, it waits for its dependents to go, it is not there, or nobody can tell. */
export type OwnerState = "absent" | "solid" | "unknown" | "waiting";

/** Looks for an owner where its reference says that it is: in the namespace of the object that names it, or in none. */
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

/** Whether an object is deleted in the foreground: it goes after those that belong to it. */
export function isWaiting(object: ApiObject): boolean {
  return isGoing(object) && (object.metadata.finalizers ?? []).includes("foregroundDeletion");
}

const kinds = new WeakMap<readonly ServedResource[], Map<string, ServedResource>>();

/** The resource that an owner reference names; `undefined` where the server has none. */
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
