import { KubeError } from "@typekube/core";
import { isThenable } from "./is-thenable.js";

/**
 * Returns the result of a user function that must be synchronous. A promise would pass every filter and be cached as an
 * object.
 *
 * @throws {KubeError} `InvalidArgument` for a promise. A rejection of that promise is ignored.
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
