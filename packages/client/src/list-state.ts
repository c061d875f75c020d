import { KubeError, resourceVersionOrder } from "@typekube/core";
import type { ListVersion } from "./options.js";

/**
 * What is wrong with the state that a list shows: `other` than the exact one that was asked for, or `older` than it may be. Servers
 * before 1.19 do not know `resourceVersionMatch`, and an exact list without a limit may be answered otherwise (RV19, RV23, RV28).
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

/** Of a list that was to show an exact state and shows another one. */
export function otherState(exact: string | undefined): KubeError {
  return new KubeError("Expired", `the server does not show the state of version ${exact}`, {
    hint: "servers before 1.19 do not support exact lists",
  });
}
