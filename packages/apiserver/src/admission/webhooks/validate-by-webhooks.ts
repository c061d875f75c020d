import type { AdmissionScope } from "../../context/admission-scope.js";
import type { AdmissionAttributes } from "../attributes.js";
import type { ReviewedRequest } from "../matching/reviewed-request.js";
import { type AdmissionWebhook, admissionWebhooks } from "./admission-webhook.js";
import { findInvocation } from "./find-invocation.js";
import { annotateFailure } from "./mutation-annotations.js";
import { allowedReview, type ReviewCall, reviewCall } from "./review-call.js";
import { WebhookCallError } from "./webhook-errors.js";

/**
 * Calls the validating webhooks for a request, all at the same time. (apiserver `validatingDispatcher`)
 *
 * @throws {StatusError} of the first webhook, in their order, that denies the request or fails.
 */
export function validateByWebhooks(attributes: AdmissionAttributes, scope: AdmissionScope): void {
  const webhooks = admissionWebhooks(scope.server.store, "validating");
  if (webhooks.length === 0) {
    return;
  }
  const prepared = webhooks.flatMap((webhook) => {
    const reviewed = findInvocation(scope, webhook, attributes);
    return reviewed === undefined ? [] : [prepare(scope, webhook, reviewed)];
  });
  scope.reviews.require(prepared.flatMap(({ call }) => (call === undefined ? [] : call.exchange)));
  const errors = prepared.map((one, index) => errorOf(scope, one, index));
  const [first] = errors.filter((error) => error !== undefined);
  if (first !== undefined) {
    throw first;
  }
}

/** A review, or the reason why it can't be made. */
interface Prepared {
  readonly webhook: AdmissionWebhook;
  readonly call?: ReviewCall;
  readonly error?: unknown;
}

function prepare(
  scope: AdmissionScope,
  webhook: AdmissionWebhook,
  reviewed: ReviewedRequest,
): Prepared {
  try {
    return { webhook, call: reviewCall(scope, "validating", webhook, reviewed) };
  } catch (error) {
    return { webhook, error };
  }
}

/** Returns the error with which a webhook ends the request; `undefined` when it allows the request. */
function errorOf(
  scope: AdmissionScope,
  { webhook, ...prepared }: Prepared,
  index: number,
): unknown {
  const { call } = prepared;
  let { error } = prepared;
  try {
    if (call !== undefined) {
      allowedReview(scope, call);
    }
  } catch (reason) {
    error = reason;
  }
  if (!(error instanceof WebhookCallError)) {
    return error;
  }
  if (!webhook.ignoresFailures) {
    return error.toStatusError();
  }
  annotateFailure(scope, "validating", webhook, { round: 0, index });
  return undefined;
}
