import { readGoDuration } from "@typekube/core/internal/go-time";
import { badRequest } from "../errors/status-errors.js";
import type { ResourceRequest } from "./request-info.js";

/** Subresources whose requests have no timeout (kube-apiserver's `LongRunningFunc`). */
const longSubresources = new Set(["attach", "exec", "log", "portforward", "proxy"]);

/**
 * Checks the parameter `timeout` of a short request. A real server does so before it checks credentials or the
 * resource. Requests are handled immediately here, so a valid timeout has no effect.
 *
 * @throws {StatusError} 400 for a timeout that is not a Go duration.
 */
export function assertTimeout(query: URLSearchParams, request: ResourceRequest | undefined): void {
  const timeout = query.get("timeout") ?? "";
  const isLong =
    request !== undefined &&
    (request.verb === "watch" || longSubresources.has(request.subresource));
  const problem = timeout === "" || isLong ? undefined : readGoDuration(timeout).problem;
  if (problem !== undefined) {
    throw badRequest(`invalid timeout specified in the request URL - time: ${problem}`);
  }
}
