import { KubeError, type KubeErrorRequest } from "@typekube/core";

/** Who may have closed it too early. */
export const closedHint =
  "in a function with `await using`, use `return await` for calls that need the transport";

/** What ends what is under way when a transport, or the client that has it, is closed, and refuses what comes later. */
export function closedError(request?: KubeErrorRequest): KubeError {
  return new KubeError("Closed", "the transport is closed", { request, hint: closedHint });
}
