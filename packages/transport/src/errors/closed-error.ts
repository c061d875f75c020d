import { KubeError, type KubeErrorRequest } from "@typekube/core";

/** Hint at the usual cause of closing a transport too early. */
export const closedHint =
  "in a function with `await using`, use `return await` for calls that need the transport";

/** Creates the error that ends active exchanges when a transport or its client is closed, and rejects later requests. */
export function closedError(request?: KubeErrorRequest): KubeError {
  return new KubeError("Closed", "the transport is closed", { request, hint: closedHint });
}
