import { KubeError, type KubeErrorRequest } from "@typekube/core";

/** Who may have closed it. */
export const closedHint =
  "somebody closed it, or the client that has it; where `await using` does, a call that is returned needs `return await`";

/** What ends what is under way when a transport, or the client that has it, is closed, and refuses what comes later. */
export function closedError(request?: KubeErrorRequest): KubeError {
  return new KubeError("Closed", "the transport is closed", { request, hint: closedHint });
}
