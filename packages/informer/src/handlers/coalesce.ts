import type { KubeObject } from "@typekube/api";
import { isEqualState } from "../store/store.js";
import type { Change } from "./change.js";

/**
 * Two changes of one object, in order, as the one that leads from the state before the first to the state after the second.
 *
 * @returns `undefined` when they cancel each other out: an object that came and went was never there for who looks later, and one that
 * left with its part and came back as it was has not changed.
 */
export function coalesce<T extends KubeObject>(
  first: Change<T>,
  second: Change<T>,
): Change<T> | undefined {
  if (first.type === "add") {
    return second.type === "delete"
      ? undefined
      : { type: "add", key: first.key, object: second.object, initial: first.initial };
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
