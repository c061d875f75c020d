import { KubeError, type KubeErrorCode } from "./kube-error.js";
import type { Status } from "./status.js";

/**
 * A KubeError with one of these codes. Narrows to the codes and not only to the class, so that an error for which a
 * predicate is false is still a KubeError.
 */
export type KubeErrorWith<Code extends KubeErrorCode> = KubeError & { readonly code: Code };

function hasCode(error: unknown, ...codes: readonly KubeErrorCode[]): boolean {
  return error instanceof KubeError && codes.includes(error.code);
}

/** Returns true when the object, or the resource itself, does not exist. */
export function isNotFound(error: unknown): error is KubeErrorWith<"NotFound"> {
  return hasCode(error, "NotFound");
}

/** Returns true when an object of that name already exists. */
export function isAlreadyExists(error: unknown): error is KubeErrorWith<"AlreadyExists"> {
  return hasCode(error, "AlreadyExists");
}

/**
 * Returns true when the object was changed since it was read, a precondition was not met, or another field manager owns
 * a field of an apply. After a change, read the object again, change it and retry. A retry does not help an apply:
 * leave the field to its manager, or take it over with `force`.
 */
export function isConflict(error: unknown): error is KubeErrorWith<"Conflict"> {
  return hasCode(error, "Conflict");
}

/** Returns true when the server understood the object and rejects it. `causes` names the fields. */
export function isInvalid(error: unknown): error is KubeErrorWith<"Invalid"> {
  return hasCode(error, "Invalid");
}

/** Returns true when the user is not allowed to do this. */
export function isForbidden(error: unknown): error is KubeErrorWith<"Forbidden"> {
  return hasCode(error, "Forbidden");
}

/** Returns true when the server rejects the credentials: they are missing, invalid or expired. */
export function isUnauthorized(error: unknown): error is KubeErrorWith<"Unauthorized"> {
  return hasCode(error, "Unauthorized");
}

/**
 * Returns true when the server is throttling. `retryAfterMs` is the delay that it requests. As in client-go, the HTTP
 * status 429 is sufficient.
 */
export function isTooManyRequests(
  error: unknown,
): error is KubeErrorWith<"TooManyRequests" | "Unknown"> {
  return hasCode(error, "TooManyRequests") || httpStatusOf(error) === 429;
}

/**
 * Returns true when a resourceVersion or continue token is too old: reason Expired or Gone, or any response with the
 * HTTP status 410.
 */
export function isExpired(error: unknown): error is KubeErrorWith<"Expired" | "Gone" | "Unknown"> {
  return hasCode(error, "Expired", "Gone") || httpStatusOf(error) === 410;
}

/** Returns true when the server knows the resource but not the method. */
export function isMethodNotAllowed(error: unknown): error is KubeErrorWith<"MethodNotAllowed"> {
  return hasCode(error, "MethodNotAllowed");
}

/** Returns true when the server supports none of the encodings that the request accepts. */
export function isNotAcceptable(error: unknown): error is KubeErrorWith<"NotAcceptable"> {
  return hasCode(error, "NotAcceptable");
}

/** Returns true when the server does not support the encoding of the request body. */
export function isUnsupportedMediaType(
  error: unknown,
): error is KubeErrorWith<"UnsupportedMediaType"> {
  return hasCode(error, "UnsupportedMediaType");
}

/** Returns true when the server could not read the request: its syntax, a parameter or a header is wrong (400). */
export function isBadRequest(error: unknown): error is KubeErrorWith<"BadRequest"> {
  return hasCode(error, "BadRequest");
}

/** Returns true when the server reports an internal error (500). */
export function isInternalError(error: unknown): error is KubeErrorWith<"InternalError"> {
  return hasCode(error, "InternalError");
}

/** Returns true when the request was too large for the server (413). */
export function isRequestEntityTooLarge(
  error: unknown,
): error is KubeErrorWith<"RequestEntityTooLarge"> {
  return hasCode(error, "RequestEntityTooLarge");
}

/** Returns true when the server, or an aggregated API behind it, is unavailable (503). */
export function isServiceUnavailable(error: unknown): error is KubeErrorWith<"ServiceUnavailable"> {
  return hasCode(error, "ServiceUnavailable");
}

/** Returns true when the server could not complete the request now and a retry may succeed (reason `ServerTimeout`). */
export function isServerTimeout(error: unknown): error is KubeErrorWith<"ServerTimeout"> {
  return hasCode(error, "ServerTimeout");
}

/** Returns true when the request timed out on the server (504, reason `Timeout`); it may have been executed. */
export function isTimeout(error: unknown): error is KubeErrorWith<"Timeout"> {
  return hasCode(error, "Timeout");
}

/**
 * Returns true when the server could not read a stored object, for example because a conversion failed (reason
 * `StorageReadError`).
 */
export function isStorageReadError(error: unknown): error is KubeErrorWith<"StorageReadError"> {
  return hasCode(error, "StorageReadError");
}

/** Returns true when a resource or an object is permanently gone (reason `Gone`). {@link isExpired} includes it. */
export function isGone(error: unknown): error is KubeErrorWith<"Gone"> {
  return hasCode(error, "Gone");
}

/**
 * Returns true for a failure response without a Status: it may come from a proxy or load balancer rather than from the
 * API server. (client-go's `IsUnexpectedServerError`)
 */
export function isUnexpectedServerError(error: unknown): error is KubeError {
  return error instanceof KubeError && error.status === undefined && (error.httpStatus ?? 0) >= 400;
}

/** Returns true when the server's address refused the connection. */
export function isConnectionRefused(error: unknown): error is KubeErrorWith<"ConnectionRefused"> {
  return hasCode(error, "ConnectionRefused");
}

/** Returns true when the connection to the server failed. Worth a retry for a call that may be repeated. */
export function isNetworkError(
  error: unknown,
): error is KubeErrorWith<
  | "ConnectionClosed"
  | "ConnectionRefused"
  | "ConnectionReset"
  | "ConnectionTimeout"
  | "HostNotFound"
  | "NetworkError"
  | "Tls"
> {
  return hasCode(
    error,
    "ConnectionClosed",
    "ConnectionRefused",
    "ConnectionReset",
    "ConnectionTimeout",
    "HostNotFound",
    "NetworkError",
    "Tls",
  );
}

/** Cause type of a Status for a resourceVersion that the server has not reached yet. */
export const resourceVersionTooLargeCause = "ResourceVersionTooLarge";

/**
 * Returns true when the server has not reached the requested resourceVersion yet. Recognizes three forms: the cause's
 * type (1.17 and later), the cause's message, and the message alone (older servers).
 */
export function isTooLargeResourceVersion(
  error: unknown,
): error is KubeError & { readonly status: Status } {
  if (!(error instanceof KubeError)) {
    return false;
  }
  if (error.causes.some((cause) => cause.reason === resourceVersionTooLargeCause)) {
    return true;
  }
  const tooLarge = "Too large resource version";
  return (
    hasCode(error, "Timeout") &&
    (error.causes.some((cause) => cause.message === tooLarge) ||
      (error.status?.message ?? "").includes(tooLarge))
  );
}

function httpStatusOf(error: unknown): number | undefined {
  return error instanceof KubeError ? (error.status?.code ?? error.httpStatus) : undefined;
}
