import {
  isConnectionRefused,
  isExpired,
  isNetworkError,
  isTooLargeResourceVersion,
  isTooManyRequests,
  KubeError,
} from "@typekube/core";
import { isSlowReader } from "./slow-reader.js";

/** Action after a failed watch. */
export type AfterFailure =
  /** The resourceVersion is still good: wait, then watch from it again. */
  | "rewatch"
  /** Relist. */
  | "relist"
  /** Relist, without the known resourceVersion, which can't be used for it. */
  | "relistFromNewest";

/**
 * Decides the action after a failed watch, at its start or by an ERROR event.
 *
 * 429, 5xx with a Retry-After and a refused connection keep the resourceVersion, as in client-go. Beyond client-go, so
 * does every other network failure, an unreadable frame and rejected credentials (the next request brings fresh ones):
 * the resourceVersion is still good, and if it becomes too old in the meantime, the server reports it.
 */
export function afterWatchFailure(error: KubeError): AfterFailure {
  if (isTooLargeResourceVersion(error)) {
    return "relistFromNewest";
  }
  if (isExpired(error) || isSlowReader(error)) {
    return "relist";
  }
  if (isRefusedForNow(error) || isConnectionRefused(error) || isNetworkError(error)) {
    return "rewatch";
  }
  switch (error.code) {
    case "Closed":
    case "Decode":
    case "DeadlineExceeded":
    case "TooLarge":
    case "NotKubernetes":
    case "Unauthorized":
      return "rewatch";
    default:
      return "relist";
  }
}

/**
 * Returns true when a snapshot failed because of its resourceVersion, so that a request for the newest may succeed: the
 * resourceVersion is gone, not reached yet, or invalid on this server (400), as after a restore into a server that
 * counts differently.
 */
export function isOfVersion(error: unknown, version: string | undefined): error is KubeError {
  if (version === undefined || version === "") {
    return false;
  }
  const isNone = version !== "0" && KubeError.from(error).code === "BadRequest";
  return isNone || isExpired(error) || isTooLargeResourceVersion(error);
}

/** Returns true when a streaming list that failed at its start should be retried unchanged instead of listing. */
export function retriesStreaming(error: KubeError): boolean {
  return isRefusedForNow(error) || isNetworkError(error);
}

/** Returns true when the server did nothing and expects the same request later. */
function isRefusedForNow(error: KubeError): boolean {
  const requestsRetryLater = error.retryAfterMs !== undefined && (error.httpStatus ?? 0) >= 500;
  return requestsRetryLater || isTooManyRequests(error);
}

/** Returns true when this server can't stream lists of this resource at all. */
export function cannotStream(error: KubeError): boolean {
  return ["BadRequest", "Invalid", "MethodNotAllowed"].includes(error.code);
}
