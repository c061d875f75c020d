import { KubeError } from "@typekube/core";
import type { HttpRequest, HttpResponse } from "@typekube/core/internal";

/** Outcome of one attempt. */
export type Outcome =
  | { readonly response: HttpResponse; readonly error?: undefined }
  | { readonly response?: undefined; readonly error: unknown };

/** Returns true when a request can be sent a second time: bytes can, a body that is read from a source cannot. */
export function canBeReplayed({ body }: HttpRequest): boolean {
  return body === undefined || body instanceof Uint8Array;
}

/**
 * Returns true for a status with which the server may request a retry; it may do so for any method, since it has
 * processed nothing.
 */
export function isRefusedForNow(status: number): boolean {
  return status === 429 || status >= 500;
}

/**
 * Returns true when a call whose connection broke before its response may be sent again: only a read, since the server
 * may have processed a write. Streams are excluded: logs must not be followed twice, and a watch knows best where to
 * resume.
 */
export function isBrokenRead(request: HttpRequest, error: unknown): boolean {
  return (
    isRead(request) &&
    error instanceof KubeError &&
    (error.code === "ConnectionReset" || error.code === "ConnectionClosed")
  );
}

/** Returns true for a call that changes nothing on the server. */
export function isRead({ method, mode }: HttpRequest): boolean {
  return mode === "call" && (method === "GET" || method === "HEAD" || method === "OPTIONS");
}

/**
 * Adds the outcome of the previous attempt, which may be the informative one, to the error of a later attempt. Reasons
 * of signals stay unchanged.
 */
export function afterAttempt(error: unknown, before: Outcome | undefined): unknown {
  if (!(error instanceof KubeError) || before === undefined) {
    return error;
  }
  const text = before.response
    ? `HTTP ${before.response.status}`
    : before.error instanceof KubeError
      ? before.error.rawMessage
      : "";
  if (text === "" || text === error.rawMessage) {
    return error;
  }
  return new KubeError(error.code, `${error.rawMessage}; the previous attempt: ${text}`, {
    ...error,
    cause: error.cause,
  });
}
