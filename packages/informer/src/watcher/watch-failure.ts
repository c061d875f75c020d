import {
  isConnectionRefused,
  isExpired,
  isNetworkError,
  isTooLargeResourceVersion,
  isTooManyRequests,
  KubeError,
} from "@typekube/core";
import { isSlowReader } from "./slow-reader.js";

/** What a failed watch calls for. */
export type AfterFailure =
  /** The version is still good: wait, then watch from it again. */
  | "rewatch"
  /** Look at everything again. */
  | "relist"
  /** Look at everything again, and the version known is of no use for that. */
  | "relistFromNewest";

/**
 * The one decision about a watch that failed, at its start or by an ERROR event.
 *
 * 429, 5xx with a Retry-After and a refused connection keep the version, as in client-go. Beyond it, so does every other failure of the network, a
 * frame that cannot be read and credentials that were refused (the next request brings fresh ones): nothing is wrong with the
 * version, and if it grows too old meanwhile the server says so.
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
 * Whether a look at everything failed because of the version it was to be at, so that the newest may be had: the version is gone, not
 * reached yet, or none that this server gives (400), as after a restore into something that counts otherwise.
 */
export function isOfVersion(error: unknown, version: string | undefined): error is KubeError {
  if (version === undefined || version === "") {
    return false;
  }
  const isNone = version !== "0" && KubeError.from(error).code === "BadRequest";
  return isNone || isExpired(error) || isTooLargeResourceVersion(error);
}

/** Whether a streaming list that failed at its start should be tried as it is once more instead of listing. */
export function retriesStreaming(error: KubeError): boolean {
  return isRefusedForNow(error) || isNetworkError(error);
}

/** Whether the server did nothing and wants to be asked the same later. */
function isRefusedForNow(error: KubeError): boolean {
  const requestsRetryLater = error.retryAfterMs !== undefined && (error.httpStatus ?? 0) >= 500;
  return requestsRetryLater || isTooManyRequests(error);
}

/** Whether the failure says that this server cannot stream lists of this resource at all. */
export function cannotStream(error: KubeError): boolean {
  return ["BadRequest", "Invalid", "MethodNotAllowed"].includes(error.code);
}
