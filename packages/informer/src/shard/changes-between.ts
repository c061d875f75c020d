import type { KubeObject } from "@typekube/api";
import type { Change } from "../handlers/change.js";
import { changeFrom, isSameState, type Store } from "../store/store.js";

/**
 * What changes for those who saw one part of a collection and see another from now on, deletions first. What the new part does not
 * have has either moved out of sight, or it was deleted and the old part has not heard of it.
 *
 * @param belongs - whether an object is in the new part.
 * @param initial - nobody saw anything yet.
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
