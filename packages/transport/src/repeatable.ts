import { KubeError } from "@typekube/core";
import type { HttpRequest, HttpResponse } from "@typekube/core/internal";

/** How one attempt came out. */
export type Outcome =
  | { readonly response: HttpResponse; readonly error?: undefined }
  | { readonly response?: undefined; readonly error: unknown };

/** Whether the same request can be sent a second time: bytes can, a body that somebody reads from could not. */
export function canBeReplayed({ body }: HttpRequest): boolean {
  return body === undefined || body instanceof Uint8Array;
}

/** Whether the server asks for the same again later; it may ask so for any method, having done nothing. */
export function isRefusedForNow(status: number): boolean {
  return status === 429 || status >= 500;
}

/**
 * Whether a call whose connection broke before it was answered may be sent again: only one that changes nothing, since the server
 * may have done what was asked. Logs are not followed twice and a watch knows best from where to go on, so streams are not.
 */
export function isBrokenRead(request: HttpRequest, error: unknown): boolean {
  return (
    isRead(request) &&
    error instanceof KubeError &&
    (error.code === "ConnectionReset" || error.code === "ConnectionClosed")
  );
}

/** Whether a call changes nothing on the server. */
export function isRead({ method, mode }: HttpRequest): boolean {
  return mode === "call" && (method === "GET" || method === "HEAD" || method === "OPTIONS");
}

/**
 * The error of a later attempt, saying as well what became of the attempt before it, which may be what somebody has to know.
 * Reasons of signals stay what they are.
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
  return new KubeError(error.code, `${error.rawMessage}; the attempt before: ${text}`, {
    ...error,
    cause: error.cause,
  });
}
