import type { ServerContext } from "../../context/server-context.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isGoing, ownersOf, withOwners, withoutFinalizer } from "../../objects/owner-references.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import type { Place } from "../runtime/owner-index.js";
import { isWaiting } from "../runtime/owners.js";
import { judge } from "./judge.js";

/** Takes the step that an object needs: orphans its dependents, ends its foreground deletion, or judges its owners. */
export async function collect(context: ControllerParts, place: Place): Promise<void> {
  const object = read(context.server, place);
  if (object === undefined || (isGoing(object) && !isWaiting(object) && !isOrphaning(object))) {
    return;
  }
  await context.writer.prepare([place.storage]);
  if (isOrphaning(object)) {
    await orphan(context, place, object);
  } else if (isWaiting(object)) {
    finishForeground(context, place, object);
  } else {
    await judge(context, place, object);
  }
}

/** Removes the owner from its dependents, then the `orphan` finalizer. */
async function orphan(context: ControllerParts, place: Place, object: ApiObject): Promise<void> {
  const { server, index, writer } = context;
  const uid = object.metadata.uid ?? "";
  for (const dependent of index.dependentsOf(uid)) {
    await writer.prepare([dependent.storage]);
    const now = read(server, dependent);
    if (now !== undefined) {
      const detached = withOwners(now, (one) => (one["uid"] === uid ? undefined : one));
      writer.update(dependent.storage, detached);
    }
  }
  const now = read(server, place);
  if (now !== undefined) {
    writer.update(place.storage, withoutFinalizer(now, "orphan"));
  }
}

/**
 * Removes the `foregroundDeletion` finalizer once no blocking dependent is left. Otherwise the deletion of a dependent
 * triggers another check.
 */
function finishForeground(
  { server, index, writer }: ControllerParts,
  place: Place,
  object: ApiObject,
): void {
  const uid = object.metadata.uid ?? "";
  const isBlocked = index
    .dependentsOf(uid)
    .some((dependent) =>
      ownersOf(read(server, dependent) ?? object).some(
        (one) => one.uid === uid && one.blockOwnerDeletion,
      ),
    );
  if (!isBlocked) {
    writer.update(place.storage, withoutFinalizer(object, "foregroundDeletion"));
  }
}

function isOrphaning(object: ApiObject): boolean {
  return isGoing(object) && (object.metadata.finalizers ?? []).includes("orphan");
}

function read({ store }: ServerContext, { storage, key }: Place): ApiObject | undefined {
  return store.collection(storage).get(key);
}
