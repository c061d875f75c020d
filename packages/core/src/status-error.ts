import {
  KubeError,
  type KubeErrorCode,
  type KubeErrorRequest,
  kubeErrorCodes,
} from "./kube-error.js";
import { type RedactedResource, redactStatus } from "./redact-status.js";
import { type Status, wellTypedStatus } from "./status.js";

/** The reason that client-go's `NewGenericServerResponse` gives to an HTTP status without a Status body. */
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

/** The API's own reasons. A server cannot claim what only this side can know: that a call was aborted, say. */
const serverCodes: ReadonlySet<string> = new Set(
  kubeErrorCodes.slice(0, kubeErrorCodes.indexOf("ConnectionClosed")),
);

/** The code for an HTTP status: 409 on a POST is AlreadyExists, any other 5xx an InternalError. */
export function codeFromHttpStatus(httpStatus: number, method: string): KubeErrorCode {
  if (httpStatus === 409 && method === "POST") {
    return "AlreadyExists";
  }
  return codeByHttpStatus[httpStatus] ?? (httpStatus >= 500 ? "InternalError" : "Unknown");
}

/** Where a Status came from. */
export interface StatusErrorContext {
  readonly request?: KubeErrorRequest | undefined;
  /** HTTP status of the answer; absent for a Status inside a stream. */
  readonly httpStatus?: number | undefined;
  /** The `Retry-After` header in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** Resources besides Secrets whose values must not show. */
  readonly redactErrors?: readonly RedactedResource[] | undefined;
}

/**
 * The error for a Status of the server. Its reason decides the code; the number is looked at only when
 * the reason says nothing (client-go's `ReasonAndCodeForError`). Values of Secrets do not show in it: see {@link redactStatus}.
 */
export function errorFromStatus(received: Status, context: StatusErrorContext = {}): KubeError {
  const { request, httpStatus, retryAfterMs, redactErrors } = context;
  // A hostile server may send any type in any field.
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
