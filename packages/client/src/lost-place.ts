import { KubeError } from "@typekube/core";
import type { ItemsOptions } from "./options.js";

/** Builds the error for a walk whose continue token has expired, with a hint about `onExpired`. */
export function lostPlace(error: KubeError, onExpired: ItemsOptions["onExpired"]): KubeError {
  const { code, rawMessage, cause, status, httpStatus, retryAfterMs, request } = error;
  const restart = 'onExpired: "restart" asks for the rest in one list';
  const goOn = '"inconsistent" goes on with a rest that is newer than what came before';
  // With "inconsistent" the server offered no new token: only a restart is left.
  const hint = onExpired === "inconsistent" ? restart : `${restart}, ${goOn}`;
  const known = { cause, status, httpStatus, retryAfterMs, request };
  return new KubeError(code, rawMessage, { ...known, hint });
}
