import type { ServerContext } from "../../context/server-context.js";
import type { ApiObject } from "../../objects/api-object.js";
import { jsonEqual } from "../../objects/json-value.js";
import { isGoing, ownersOf, withOwners, withoutFinalizer } from "../../objects/owner-references.js";
import type { StoreEvent } from "../../store/history.js";
import type { Controller } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import type { Place } from "../runtime/owner-index.js";
import { isWaiting, ownerState } from "../runtime/owners.js";

/**
 * The garbage collector. It deletes objects whose owners are all gone, completes foreground deletion once blocking
 * dependents are gone, and detaches dependents for orphan deletion.
 */
export function createGarbageCollector({ server, index, writer }: ControllerParts): Controller {
  const collect = async (place: Place) => {
    const object = read(server, place);
    if (object === undefined || (isGoing(object) && !isWaiting(object) && !isOrphaning(object))) {
      return;
    }
    await writer.prepare([place.storage]);
    if (isOrphaning(object)) {
      await orphan(place, object);
    } else if (isWaiting(object)) {
      await finishForeground(place, object);
    } else {
      await judge(place, object);
    }
  };

  /** Removes the owner from its dependents, then the `orphan` finalizer. */
  const orphan = async (place: Place, object: ApiObject) => {
    const uid = object.metadata.uid ?? "";
    for (const dependent of index.dependentsOf(uid)) {
      await writer.prepare([dependent.storage]);
      const now = read(server, dependent);
      if (now !== undefined) {
        writer.update(
          dependent.storage,
          withOwners(now, (one) => (one["uid"] === uid ? undefined : one)),
        );
      }
    }
    const now = read(server, place);
    if (now !== undefined) {
      writer.update(place.storage, withoutFinalizer(now, "orphan"));
    }
  };

  /**
   * Removes the `foregroundDeletion` finalizer once no blocking dependent is left. Otherwise the deletion of a
   * dependent triggers another check.
   */
  const finishForeground = async (place: Place, object: ApiObject) => {
    const uid = object.metadata.uid ?? "";
    const blocking = index
      .dependentsOf(uid)
      .filter((dependent) =>
        ownersOf(read(server, dependent) ?? object).some(
          (one) => one.uid === uid && one.blockOwnerDeletion,
        ),
      );
    if (blocking.length === 0) {
      writer.update(place.storage, withoutFinalizer(object, "foregroundDeletion"));
    }
  };

  /** Decides about an object by the state of its owners. */
  const judge = async ({ storage, key }: Place, object: ApiObject) => {
    const { namespace = "", uid, resourceVersion } = object.metadata;
    const states = ownersOf(object).map((owner) => ({
      owner,
      state: ownerState(server, owner, namespace),
    }));
    const lost = states.filter(({ state }) => state === "absent" || state === "waiting");
    if (lost.length === 0 || states.some(({ state }) => state === "unknown")) {
      return;
    }
    if (lost.length < states.length) {
      const uids = new Set(lost.map(({ owner }) => owner.uid));
      writer.update(
        storage,
        withOwners(object, (one) => (uids.has(String(one["uid"])) ? undefined : one)),
      );
      return;
    }
    const dependents = index.dependentsOf(uid ?? "");
    const isWaitedFor = lost.some(({ state }) => state === "waiting") && dependents.length > 0;
    if (isWaitedFor && dependents.some((one) => isWaiting(read(server, one) ?? object))) {
      // Break a cycle of objects that wait for each other.
      writer.update(
        storage,
        withOwners(object, (one) => ({ ...one, blockOwnerDeletion: false })),
      );
    }
    const { finalizers = [] } = object.metadata;
    const wanted = finalizers.includes("orphan")
      ? "Orphan"
      : isWaitedFor || finalizers.includes("foregroundDeletion")
        ? "Foreground"
        : "Background";
    const current = read(server, { storage, key });
    await writer.deleteConverted(storage, current ?? object, {
      propagationPolicy: wanted,
      uid,
      ...(current === object ? { resourceVersion } : {}),
    });
  };

  return {
    name: "garbage-collector",
    *keysOf(event, storage) {
      const { object, key, type } = event;
      const uid = object.metadata.uid ?? "";
      if (type === "DELETED") {
        yield* index.dependentsOf(uid).map(keyOf);
        // An owner in foreground deletion may be waiting until this dependent is gone.
        for (const owner of ownersOf(object)) {
          const place = index.placeOf(owner.uid);
          if (place !== undefined) {
            yield keyOf(place);
          }
        }
        return;
      }
      if (isGoing(object)) {
        yield keyOf({ storage, key });
        if (isWaiting(object)) {
          yield* index.dependentsOf(uid).map(keyOf);
        }
      }
      if (ownersChanged(event)) {
        yield keyOf({ storage, key });
        for (const owner of event.previous === undefined ? [] : ownersOf(event.previous)) {
          const place = index.placeOf(owner.uid);
          if (place !== undefined) {
            yield keyOf(place);
          }
        }
      }
    },
    reconcile: (key) => {
      const space = key.indexOf(" ");
      return collect({ storage: key.slice(0, space), key: key.slice(space + 1) }).then(
        () => undefined,
      );
    },
  };
}

function ownersChanged({ type, object, previous }: StoreEvent): boolean {
  const { ownerReferences } = object.metadata;
  return type === "ADDED"
    ? ownerReferences !== undefined
    : !jsonEqual(ownerReferences ?? [], previous?.metadata.ownerReferences ?? []);
}

function isOrphaning(object: ApiObject): boolean {
  return isGoing(object) && (object.metadata.finalizers ?? []).includes("orphan");
}

function keyOf({ storage, key }: Place): string {
  return `${storage} ${key}`;
}

function read({ store }: ServerContext, { storage, key }: Place): ApiObject | undefined {
  return store.collection(storage).get(key);
}
