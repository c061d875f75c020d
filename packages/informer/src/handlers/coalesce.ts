import type { KubeObject } from "@typekube/api";
import type { Change } from "../events/change.js";
import { isEqualState } from "../store/store.js";

/**
 * Merges two consecutive changes of one object into one, from the old state of the first to the new state of the
 * second.
 *
 * @returns the change; `undefined` when the two cancel each other out: an object that was added and deleted, or one
 * that left with its shard and came back unchanged.
 */
export function coalesce<T extends KubeObject>(
  first: Change<T>,
  second: Change<T>,
): Change<T> | undefined {
  if (first.type === "add") {
    return second.type === "delete" ? undefined : { ...first, object: second.object };
  }
  const { previous } = first;
  if (second.type === "delete") {
    return { ...second, previous };
  }
  if (isEqualState(previous, second.object)) {
    return undefined;
  }
  const replaced = previous.metadata.uid !== second.object.metadata.uid;
  return {
    type: replaced ? "replaced" : "update",
    key: first.key,
    object: second.object,
    previous,
  };
}
