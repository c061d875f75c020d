import type { ApiObject } from "../../objects/api-object.js";
import { type OwnerReference, ownersOf, withOwners } from "../../objects/owner-references.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import type { Place } from "../runtime/owner-index.js";
import { isWaiting, type OwnerState, ownerState } from "../runtime/owners.js";

/** An owner of an object and its state. */
interface FoundOwner {
  readonly owner: OwnerReference;
  readonly state: OwnerState;
}

/** Decides about an object by the state of its owners: keeps it, removes lost owners from it, or deletes it. */
export async function judge(
  context: ControllerParts,
  place: Place,
  object: ApiObject,
): Promise<void> {
  const { server, writer } = context;
  const { namespace = "" } = object.metadata;
  const found = ownersOf(object).map((owner) => ({
    owner,
    state: ownerState(server, owner, namespace),
  }));
  const lost = found.filter(({ state }) => state === "absent" || state === "waiting");
  if (lost.length === 0 || found.some(({ state }) => state === "unknown")) {
    return;
  }
  if (lost.length < found.length) {
    const uids = new Set(lost.map(({ owner }) => owner.uid));
    const kept = withOwners(object, (one) => (uids.has(String(one["uid"])) ? undefined : one));
    writer.update(place.storage, kept);
    return;
  }
  await deleteLost(context, place, object, lost);
}

/** Deletes an object that has lost all owners, with the propagation policy that its finalizers and owners ask for. */
async function deleteLost(
  { server, index, writer }: ControllerParts,
  { storage, key }: Place,
  object: ApiObject,
  lost: readonly FoundOwner[],
): Promise<void> {
  const { uid, resourceVersion, finalizers = [] } = object.metadata;
  const { store } = server;
  const dependents = index.dependentsOf(uid ?? "");
  const isWaitedFor = lost.some(({ state }) => state === "waiting") && dependents.length > 0;
  const stateOf = (place: Place) => store.collection(place.storage).get(place.key) ?? object;
  if (isWaitedFor && dependents.some((one) => isWaiting(stateOf(one)))) {
    // Break a cycle of objects that wait for each other.
    const unblocked = withOwners(object, (one) => ({ ...one, blockOwnerDeletion: false }));
    writer.update(storage, unblocked);
  }
  const propagationPolicy = finalizers.includes("orphan")
    ? "Orphan"
    : isWaitedFor || finalizers.includes("foregroundDeletion")
      ? "Foreground"
      : "Background";
  const current = store.collection(storage).get(key);
  await writer.deleteConverted(storage, current ?? object, {
    propagationPolicy,
    uid,
    ...(current === object ? { resourceVersion } : {}),
  });
}
