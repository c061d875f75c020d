import type { KubeObject, Live } from "@typekube/api";
import { atOnce } from "../at-once.js";
import type { Change } from "./change.js";

/**
 * A change as one sees it who looks only at objects that pass: one that begins to pass is added, one that stops to pass is deleted,
 * and what was told of is taken back whatever its last state is. A state for which the filter throws does not pass.
 *
 * @param onError - told what the filter throws, once for each state.
 * @returns `undefined` when there is nothing to see.
 */
export function filterChange<T extends KubeObject>(
  change: Change<T>,
  filter: (object: Live<T>) => boolean,
  onError: (error: unknown) => void,
): Change<T> | undefined {
  const { key, object } = change;
  const passes = (state: Live<T>) => safely(filter, state, onError);
  // What it throws now it threw, and told, when the state came: it must not cost the change to the next one.
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
      // The state of another object under the same name is not the last one of what is gone here, which nobody saw.
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
