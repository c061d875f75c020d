import type { KubeObject, Live } from "@typekube/api";
import { atOnce } from "../callbacks/at-once.js";
import type { Change } from "../events/change.js";

/**
 * Returns a change as seen by a subscriber that receives only objects that pass. An object that starts to pass is
 * added, one that stops passing is deleted, and the deletion of a delivered object is delivered whatever its final
 * state. A state for which the filter throws does not pass.
 *
 * @param onError - receives what the filter throws, once for each state.
 * @returns the change; `undefined` when the subscriber sees none.
 */
export function filterChange<T extends KubeObject>(
  change: Change<T>,
  filter: (object: Live<T>) => boolean,
  onError: (error: unknown) => void,
): Change<T> | undefined {
  const { key, object } = change;
  const passes = (state: Live<T>) => safely(filter, state, onError);
  // An error for the old state was reported when that state arrived. It must not suppress the change to the new state.
  const passed = (state: Live<T>) => safely(filter, state, () => {});
  switch (change.type) {
    case "add":
      return passes(object) ? change : undefined;
    case "delete":
      return passed(change.previous) ? change : undefined;
    case "replaced":
    case "update": {
      const { previous } = change;
      if (passes(object)) {
        return passed(previous) ? change : { type: "add", key, object, initial: false };
      }
      if (!passed(previous)) {
        return undefined;
      }
      // The new object under the same name is not the final state of the old one, which was missed.
      const finalStateUnknown = change.type === "replaced";
      const last = finalStateUnknown ? previous : object;
      return { type: "delete", key, object: last, previous, finalStateUnknown };
    }
    default:
      return change satisfies never;
  }
}

function safely<T extends KubeObject>(
  filter: (object: Live<T>) => boolean,
  state: Live<T>,
  onError: (error: unknown) => void,
): boolean {
  try {
    return atOnce("a filter", filter(state));
  } catch (error) {
    onError(error);
    return false;
  }
}
