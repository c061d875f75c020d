import { KubeError } from "@typekube/core";
import type { ItemsOptions } from "./options.js";

/** The error of a walk whose continue token has expired, with the way out of it. */
export function lostPlace(error: KubeError, onExpired: ItemsOptions["onExpired"]): KubeError {
  const { code, rawMessage, cause, status, httpStatus, retryAfterMs, request } = error;
  const restart = 'onExpired: "restart" asks for the rest in one list';
  const goOn = '"inconsistent" goes on with a rest that is newer than what came before';
  // A server that offers no token to go on with leaves the one way.
  const hint = onExpired === "inconsistent" ? restart : `${restart}, ${goOn}`;
  const known = { cause, status, httpStatus, retryAfterMs, request };
  return new KubeError(code, rawMessage, { ...known, hint });
}
