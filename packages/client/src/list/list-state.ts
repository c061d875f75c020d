import { KubeError, resourceVersionOrder } from "@typekube/core";
import type { ListVersion } from "../options/read-state.js";

/**
 * Returns how the state of a list differs from the request: `other` than the exact state requested, or `older` than
 * allowed. Servers before 1.19 do not know `resourceVersionMatch`, and an exact list without a limit may return another
 * state (RV19, RV23, RV28).
 */
export function listStateProblem(
  { resourceVersion: requested, resourceVersionMatch: match }: ListVersion,
  responded: string | undefined,
): "older" | "other" | undefined {
  if (
    requested === undefined ||
    requested === "" ||
    requested === "0" ||
    !responded ||
    responded === requested
  ) {
    return undefined;
  }
  if (match === "Exact") {
    return "other";
  }
  return (resourceVersionOrder(responded, requested) ?? 0) < 0 ? "older" : undefined;
}

/** Builds the error for a list that shows another state than the exact one requested. */
export function otherState(exact: string | undefined): KubeError {
  return new KubeError(
    "Expired",
    `the server did not return the state at resourceVersion ${exact}`,
    {
      hint: "servers before 1.19 do not support exact lists",
    },
  );
}
