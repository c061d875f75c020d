import { stringifyJson } from "@typekube/core/internal";
import type { AdmissionScope } from "../../context/admission-scope.js";
import type { ReturnedPatch, ReviewExchange } from "../../context/attempts.js";
import { randomUid } from "../../objects/random.js";
import type { RememberedCall } from "../../time/call-memory.js";
import { type ReviewedRequest, reviewRequest } from "../matching/reviewed-request.js";
import { type AdmissionResponse, verifyResponse } from "./admission-response.js";
import type { AdmissionWebhook, WebhookType } from "./admission-webhook.js";
import { reviewVersion } from "./review-version.js";
import { denied, dryRunUnsupported, WebhookCallError } from "./webhook-errors.js";
import { decodePatch } from "./webhook-patch.js";

/** A review that a webhook must make. */
export interface ReviewCall {
  readonly webhook: AdmissionWebhook;
  readonly type: WebhookType;
  readonly apiVersion: string;
  /** The call; its outcome is remembered while the write is attempted. */
  readonly exchange: RememberedCall<ReviewExchange>;
}

/**
 * Prepares the review of a request by a webhook.
 *
 * @throws {StatusError} 400 for a dry run, if the webhook may have side effects in it.
 */
export function reviewCall(
  { server }: AdmissionScope,
  type: WebhookType,
  webhook: AdmissionWebhook,
  reviewed: ReviewedRequest,
): ReviewCall {
  const { name, sideEffects, clientConfig, timeoutMs } = webhook;
  if (reviewed.attributes.dryRun && sideEffects !== "None" && sideEffects !== "NoneOnDryRun") {
    throw dryRunUnsupported(name);
  }
  const apiVersion = reviewVersion(webhook.reviewVersions);
  if (apiVersion === undefined) {
    const why = "webhook does not accept known AdmissionReview versions (v1, v1beta1)";
    throw new WebhookCallError(name, `could not create admission objects: ${why}`);
  }
  const request = reviewRequest(reviewed);
  const target = stringifyJson([type, webhook.id, clientConfig]);
  return {
    webhook,
    type,
    apiVersion,
    exchange: {
      key: `${target} ${stringifyJson(request)}`,
      async call() {
        const uid = randomUid(server.random);
        const review = { kind: "AdmissionReview", apiVersion, request: { uid, ...request } };
        const reply = await server.webhooks.call({ clientConfig, review, timeoutMs });
        return { uid, reply, patch: await decodePatch(reply) };
      },
    },
  };
}

/** The verified response of a webhook that allows the request, with its decoded patch. */
export interface AllowedReview extends Pick<AdmissionResponse, "patchType"> {
  readonly patch: ReturnedPatch;
}

/**
 * Returns the verified response of a review, and passes its warnings and audit annotations on.
 *
 * @throws {PendingCall} when the webhook was not called yet.
 * @throws {WebhookCallError} when the call failed or the response is invalid.
 * @throws {StatusError} when the webhook denied the request.
 */
export function allowedReview(
  scope: AdmissionScope,
  { webhook: { name }, type, apiVersion, exchange }: ReviewCall,
): AllowedReview {
  const outcome = scope.reviews.outcome(exchange);
  if (!outcome.ok) {
    throw new WebhookCallError(name, `failed to call webhook: ${outcome.error.message}`);
  }
  const { uid, reply, patch } = outcome.value;
  const response = verified(name, reply, { apiVersion, uid, type });
  for (const [key, value] of Object.entries(response.auditAnnotations)) {
    scope.annotate(`${name}/${key}`, value);
  }
  scope.warnings.push(...response.warnings);
  if (!response.isAllowed) {
    throw denied(name, response.result);
  }
  return { patch, patchType: response.patchType };
}

function verified(
  name: string,
  reply: unknown,
  expected: Parameters<typeof verifyResponse>[1],
): AdmissionResponse {
  try {
    return verifyResponse(reply, expected);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new WebhookCallError(name, `received invalid webhook response: ${why}`);
  }
}
