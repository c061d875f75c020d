import { jsonEqual } from "../../objects/json-value.js";
import { isGoing, ownersOf } from "../../objects/owner-references.js";
import type { StoreEvent } from "../../store/history.js";
import type { Controller } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import type { OwnerIndex, Place } from "../runtime/owner-index.js";
import { isWaiting } from "../runtime/owners.js";
import { collect } from "./collect.js";

/**
 * The garbage collector. It deletes objects whose owners are all gone, completes foreground deletion once blocking
 * dependents are gone, and detaches dependents for orphan deletion.
 */
export function createGarbageCollector(context: ControllerParts): Controller {
  return {
    name: "garbage-collector",
    *keysOf(event, storage) {
      for (const place of placesOf(context.index, event, storage)) {
        yield `${place.storage} ${place.key}`;
      }
    },
    async reconcile(key) {
      const space = key.indexOf(" ");
      await collect(context, { storage: key.slice(0, space), key: key.slice(space + 1) });
      return undefined;
    },
  };
}

/** Yields the places of the objects to collect or to check again after an event. */
function* placesOf(index: OwnerIndex, event: StoreEvent, storage: string): Iterable<Place> {
  const { object, previous, key, type } = event;
  const uid = object.metadata.uid ?? "";
  if (type === "DELETED") {
    yield* index.dependentsOf(uid);
    // An owner in foreground deletion may be waiting until this dependent is gone.
    yield* ownerPlacesOf(index, event.object);
    return;
  }
  if (isGoing(object)) {
    yield { storage, key };
    if (isWaiting(object)) {
      yield* index.dependentsOf(uid);
    }
  }
  if (ownersChanged(event)) {
    yield { storage, key };
    yield* previous === undefined ? [] : ownerPlacesOf(index, previous);
  }
}

function ownerPlacesOf(index: OwnerIndex, object: StoreEvent["object"]): Place[] {
  return ownersOf(object)
    .map(({ uid }) => index.placeOf(uid))
    .filter((place) => place !== undefined);
}

function ownersChanged({ type, object, previous }: StoreEvent): boolean {
  const { ownerReferences } = object.metadata;
  return type === "ADDED"
    ? ownerReferences !== undefined
    : !jsonEqual(ownerReferences ?? [], previous?.metadata.ownerReferences ?? []);
}
