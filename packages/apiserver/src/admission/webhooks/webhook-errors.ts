import { badRequest, internalError, StatusError } from "../../errors/status-errors.js";
import { isJsonObject } from "../../objects/json-value.js";

/** A webhook that could not be called, or whose response is invalid: its failure policy decides what follows. */
export class WebhookCallError extends Error {
  override readonly name = "WebhookCallError";

  /** @param webhook - name of the webhook. */
  constructor(webhook: string, why: string) {
    super(`failed calling webhook ${JSON.stringify(webhook)}: ${why}`);
  }

  /** Returns the response to the client when the failure policy is `Fail`. */
  toStatusError(): StatusError {
    return internalError(this.message);
  }
}

/** Returns the error for a dry run that a webhook can't take part in. */
export function dryRunUnsupported(webhook: string): StatusError {
  return badRequest(`admission webhook ${JSON.stringify(webhook)} does not support dry run`);
}

/** Lowest code of a rejection; a webhook that states a lower one is corrected. */
const lowestCode = 400;

/**
 * Returns the error for a request that a webhook denied. (apiserver `ToStatusErr`)
 *
 * @param result - `response.status` of the review.
 */
export function denied(webhook: string, result: unknown): StatusError {
  const given = isJsonObject(result) ? result : {};
  const by = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const { code, status, message, reason, details } = given;
  const why = [message, reason].find((text) => typeof text === "string" && text !== "");
  return new StatusError({
    kind: "Status",
    apiVersion: "v1",
    metadata: isJsonObject(given["metadata"]) ? given["metadata"] : {},
    status: typeof status === "string" && !["", "Success"].includes(status) ? status : "Failure",
    message: why === undefined ? `${by} without explanation` : `${by}: ${String(why)}`,
    ...(typeof reason === "string" && reason !== "" ? { reason } : {}),
    ...(isJsonObject(details) ? { details } : {}),
    code: typeof code === "number" && code >= lowestCode ? code : lowestCode,
  });
}
