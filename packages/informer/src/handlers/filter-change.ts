import type { KubeObject, Live } from "@typekube/api";
import type { Change } from "./change.js";

/**
 * A change as one sees it who looks only at objects that pass: one that begins to pass is added, one that stops to pass is deleted,
 * and what was told of is taken back whatever its last state is.
 *
 * @returns `undefined` when there is nothing to see.
 */
export function filterChange<T extends KubeObject>(
  change: Change<T>,
  passes: (object: Live<T>) => boolean,
): Change<T> | undefined {
  const { key, object } = change;
  switch (change.type) {
    case "add":
      return passes(object) ? change : undefined;
    case "delete":
      return passes(change.previous) ? change : undefined;
    case "replaced":
    case "update": {
      const { previous } = change;
      if (passes(object)) {
        return passes(previous) ? change : { type: "add", key, object, initial: false };
      }
      if (!passes(previous)) {
        return undefined;
      }
      // The last state of another object under the same name is not what is deleted here.
      const last = change.type === "update" ? object : previous;
      return { type: "delete", key, object: last, previous, finalStateUnknown: false };
    }
    default:
      return change satisfies never;
  }
}
