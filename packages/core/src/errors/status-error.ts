import {
  KubeError,
  type KubeErrorCode,
  type KubeErrorRequest,
  kubeErrorCodes,
} from "./kube-error.js";
import { type RedactedResource, redactStatus } from "./redact-status.js";
import { type Status, wellTypedStatus } from "./status.js";

/** Reasons that client-go's `NewGenericServerResponse` assigns to an HTTP status without a Status body. */
const codeByHttpStatus: Readonly<Record<number, KubeErrorCode>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  406: "NotAcceptable",
  409: "Conflict",
  410: "Gone",
  413: "RequestEntityTooLarge",
  415: "UnsupportedMediaType",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/** The API's own reasons. A server cannot report codes that only the client can determine, such as an aborted call. */
const serverCodes: ReadonlySet<string> = new Set(
  kubeErrorCodes.slice(0, kubeErrorCodes.indexOf("ConnectionClosed")),
);

/**
 * Returns the code for an HTTP status. 409 on a POST is AlreadyExists; any 5xx that is not in the table is
 * InternalError.
 */
export function codeFromHttpStatus(httpStatus: number, method: string): KubeErrorCode {
  if (httpStatus === 409 && method === "POST") {
    return "AlreadyExists";
  }
  return codeByHttpStatus[httpStatus] ?? (httpStatus >= 500 ? "InternalError" : "Unknown");
}

/** Origin of a Status. */
export interface StatusErrorContext {
  readonly request?: KubeErrorRequest | undefined;
  /** HTTP status of the response; absent for a Status inside a stream. */
  readonly httpStatus?: number | undefined;
  /** The `Retry-After` header in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** Resources other than Secrets whose values must not appear. */
  readonly redactErrors?: readonly RedactedResource[] | undefined;
}

/**
 * Returns the error for a Status from the server. Its reason determines the code; the HTTP status counts only when the
 * reason is missing or unknown (client-go's `ReasonAndCodeForError`). Values of Secrets are removed, see {@link
 * redactStatus}.
 */
export function errorFromStatus(received: Status, context: StatusErrorContext = {}): KubeError {
  const { request, httpStatus, retryAfterMs, redactErrors } = context;
  // A malicious server may send any type in any field.
  const status = redactStatus(wellTypedStatus(received), request?.path, redactErrors);
  const number = status.code ?? httpStatus ?? 0;
  const reason = status.reason ?? "";
  const code =
    serverCodes.has(reason) && reason !== "Unknown"
      ? (reason as KubeErrorCode)
      : codeFromHttpStatus(number, request?.method ?? "GET");
  const seconds = status.details?.retryAfterSeconds;
  return new KubeError(code, status.message || "the server gave no message", {
    status,
    httpStatus: httpStatus ?? (number > 0 ? number : undefined),
    retryAfterMs: retryAfterMs ?? (seconds ? seconds * 1000 : undefined),
    request,
    hint: hints[code],
  });
}

const hints: Partial<Record<KubeErrorCode, string>> = {
  Unauthorized:
    "the server does not accept these credentials; check the user of the current context",
  Expired: "list again and continue from the new resourceVersion",
  UnsupportedMediaType: "the server does not support this encoding for this resource",
};
