import { KubeError } from "@typekube/core";
import type { ItemsOptions } from "../options/items-options.js";

/** Builds the error for a walk whose continue token has expired, with a hint about `onExpired`. */
export function lostPlace(error: KubeError, onExpired: ItemsOptions["onExpired"]): KubeError {
  const { code, rawMessage, cause, status, httpStatus, retryAfterMs, request } = error;
  const restart = 'onExpired: "restart" reads the remaining items with one list';
  const goOn = '"inconsistent" continues with remaining items that are newer than the items before';
  // With "inconsistent" the server offered no new token: only a restart is left.
  const hint = onExpired === "inconsistent" ? restart : `${restart}, ${goOn}`;
  const known = { cause, status, httpStatus, retryAfterMs, request };
  return new KubeError(code, rawMessage, { ...known, hint });
}
