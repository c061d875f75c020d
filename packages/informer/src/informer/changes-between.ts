import type { KubeObject } from "@typekube/api";
import type { Change } from "../events/change.js";
import { changeFrom, isSameState, type Store } from "../store/store.js";

/** A switch from one shard to another. */
export interface Move {
  /** Returns true for objects of the new shard. */
  belongs(object: KubeObject): boolean;
  /** Returns true for objects of the old shard. */
  belonged(object: KubeObject): boolean;
  /** `true` when the subscriber has seen nothing yet. */
  readonly initial: boolean;
}

/**
 * Returns the changes for a subscriber that switches from one shard of a collection to another, deletions first. An
 * object that the new shard lacks has either moved out of sight, or was deleted before the old shard received the
 * deletion.
 */
export function changesBetween<T extends KubeObject>(
  before: Store<T>,
  after: Store<T>,
  { belongs, belonged, initial }: Move,
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
      const added = { type: "add", key, object, initial } as const;
      changes.push(initial || belonged(object) ? added : { ...added, moved: true });
    } else if (!isSameState(previous, object)) {
      changes.push(changeFrom(key, previous, object));
    }
  }
  return changes;
}
