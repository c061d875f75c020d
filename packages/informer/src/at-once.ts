import { KubeError } from "@typekube/core";
import { isThenable } from "./is-thenable.js";

/**
 * What somebody's function gave where it is needed now. A promise would pass every filter and be cached as an object.
 *
 * @throws {KubeError} `InvalidArgument` for a promise; what that rejects with is told nowhere.
 */
export function atOnce<V>(what: string, given: V): V {
  if (isThenable(given)) {
    given.then(undefined, () => {});
    throw new KubeError(
      "InvalidArgument",
      `${what} must return its result directly, not a promise`,
      {
        hint: "fetch the data first and keep it where the function can read it",
      },
    );
  }
  return given;
}
