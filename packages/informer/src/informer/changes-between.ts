import type { KubeObject } from "@typekube/api";
import type { Change } from "../events/change.js";
import { changeFrom, isSameState, type Store } from "../store/store.js";

/**
 * Returns the changes for a subscriber that switches from one shard of a collection to another, deletions first. An
 * object that the new shard lacks has either moved out of sight, or was deleted before the old shard received the
 * deletion.
 *
 * @param belongs - returns true for objects of the new shard.
 * @param initial - `true` when the subscriber has seen nothing yet.
 */
export function changesBetween<T extends KubeObject>(
  before: Store<T>,
  after: Store<T>,
  belongs: (object: KubeObject) => boolean,
  initial: boolean,
): Change<T>[] {
  const changes: Change<T>[] = [];
  for (const [key, previous] of before.entries()) {
    if (after.get(key) === undefined) {
      const gone = { type: "delete", key, object: previous, previous } as const;
      changes.push(
        belongs(previous)
          ? { ...gone, finalStateUnknown: true }
          : { ...gone, finalStateUnknown: false, moved: true },
      );
    }
  }
  for (const [key, object] of after.entries()) {
    const previous = before.get(key);
    if (previous === undefined) {
      changes.push({ type: "add", key, object, initial });
    } else if (!isSameState(previous, object)) {
      changes.push(changeFrom(key, previous, object));
    }
  }
  return changes;
}
