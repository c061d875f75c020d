import type { ResourceDescriptor } from "@typekube/api";
import { isNotFound, KubeError } from "@typekube/core";
import { isDefined } from "../define/defined-resources.js";
import type { CallOptions } from "../options/call-options.js";
import type { Discovery } from "./discovery.js";

/**
 * Returns the error for a call whose path a server does not have: for a resource that the program defined, what discovery
 * knows of its kind; else the error itself.
 *
 * @returns `InvalidArgument` where the descriptor contradicts the server, `NotFound` with a hint where the server does
 * not serve the kind.
 */
export async function explainPath(
  discovery: Pick<Discovery, "find">,
  descriptor: ResourceDescriptor,
  error: unknown,
  { signal, timeoutMs }: CallOptions,
): Promise<unknown> {
  if (!isDefined(descriptor)) {
    return error;
  }
  const found = await discovery
    .find(descriptor, { signal, timeoutMs })
    .catch((reason: unknown) => reason);
  signal?.throwIfAborted();
  if (found instanceof KubeError) {
    return isNotFound(found) ? withHint(error, found) : error;
  }
  const served = found as ResourceDescriptor;
  const contradiction = contradictionOf(descriptor, served);
  return contradiction === undefined
    ? error
    : new KubeError("InvalidArgument", contradiction, {
        cause: error,
        hint: "correct the descriptor, for example in defineResource()",
      });
}

function contradictionOf(
  given: ResourceDescriptor,
  served: ResourceDescriptor,
): string | undefined {
  const kind = `${served.kind} of ${served.apiVersion}`;
  if (served.plural !== given.plural) {
    return `the server serves ${kind} as ${served.plural}, not as ${given.plural}`;
  }
  if (served.scope !== given.scope) {
    return `the server has ${kind} in the scope ${served.scope}, not ${given.scope}`;
  }
  return undefined;
}

/** Returns a 404 with the hint of discovery. */
function withHint(error: unknown, { rawMessage, hint }: KubeError): unknown {
  if (!isNotFound(error)) {
    return error;
  }
  const { status, httpStatus, request } = error;
  const why = hint === undefined ? rawMessage : `${rawMessage}; ${hint}`;
  return new KubeError("NotFound", error.rawMessage, {
    cause: error,
    hint: why,
    status,
    httpStatus,
    request,
  });
}
