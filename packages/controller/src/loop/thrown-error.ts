import { KubeError } from "@typekube/core";

/**
 * Returns what a reconciler threw as an error: itself, or one that says what was thrown.
 *
 * @param what - such as `a reconciler`.
 */
export function thrownError(what: string, thrown: unknown): Error {
  if (thrown instanceof Error) {
    return thrown;
  }
  const shown = typeof thrown === "string" ? JSON.stringify(thrown) : String(thrown);
  return new KubeError("Unknown", `${what} threw ${shown}`, { cause: thrown });
}
