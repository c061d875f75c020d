import type { KubeErrorRequest } from "@typekube/core";

/** Returns a request for error messages, without its query, which may be confidential. */
export function describeRequest(request: KubeErrorRequest): KubeErrorRequest {
  return { method: request.method, path: request.path.split("?", 1)[0] ?? "" };
}
