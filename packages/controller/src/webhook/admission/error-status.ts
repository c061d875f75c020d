import { harmless, KubeError, type Status } from "@typekube/core";
import { failureStatus, httpStatusOf } from "./denial.js";

/**
 * Returns the Status for an error that a handler threw: that of the API server when a call failed there or the error has
 * a code of the API, otherwise 500 with the error's message. Never contains a stack.
 */
export function errorStatus(error: unknown): Status {
  if (error instanceof KubeError) {
    const { status, code, rawMessage } = error;
    if (status !== undefined) {
      return { ...status, status: "Failure", code: status.code ?? error.httpStatus ?? 500 };
    }
    const httpStatus = httpStatusOf(code);
    if (httpStatus !== undefined) {
      return failureStatus(error.httpStatus ?? httpStatus, rawMessage, { reason: code });
    }
    if (code === "DeadlineExceeded") {
      return failureStatus(504, rawMessage);
    }
  }
  return failureStatus(500, `the webhook failed: ${messageOf(error)}`);
}

/** Returns `true` for an error that states the result of the review instead of a defect of the handler. */
export function isVerdict(error: unknown): boolean {
  return (
    error instanceof KubeError &&
    (error.status !== undefined ||
      (httpStatusOf(error.code) !== undefined && error.code !== "InternalError"))
  );
}

function messageOf(error: unknown): string {
  if (error instanceof Error) {
    return harmless(error.message);
  }
  return harmless(typeof error === "string" ? error : `a handler threw ${String(error)}`);
}
