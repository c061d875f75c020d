import { type JsonObject, jsonEqual } from "../../objects/json-value.js";
import { PendingCall } from "../../time/pending-call.js";
import type { Mutation } from "../admission-plugin.js";
import type { AdmissionAttributes } from "../attributes.js";
import type { ReviewedRequest } from "../matching/reviewed-request.js";
import { inVersionOf } from "../matching/versioned-objects.js";
import { type AdmissionWebhook, admissionWebhooks } from "./admission-webhook.js";
import { findInvocation } from "./find-invocation.js";
import {
  annotateFailure,
  annotateMutation,
  annotatePatch,
  type CallPlace,
} from "./mutation-annotations.js";
import { allowedReview, reviewCall } from "./review-call.js";
import { WebhookCallError } from "./webhook-errors.js";
import { patchedBy } from "./webhook-patch.js";

const plugin = "MutatingAdmissionWebhook";

/**
 * Calls the mutating webhooks for a request, one after the other, each with the object as the former have left it.
 * (apiserver `mutatingDispatcher`)
 *
 * @returns the object, changed or not.
 */
export function mutateByWebhooks(
  attributes: AdmissionAttributes,
  mutation: Mutation,
): JsonObject | undefined {
  const webhooks = admissionWebhooks(mutation.server.store, "mutating");
  if (webhooks.length === 0) {
    return attributes.object;
  }
  const state = mutation.reinvocation.of(plugin);
  state.begin(attributes.object);
  let current = attributes;
  for (const [index, webhook] of webhooks.entries()) {
    const reviewed = findInvocation(mutation, webhook, current);
    if (reviewed !== undefined && state.runs(webhook.id)) {
      const place = { round: mutation.reinvocation.isRepeat ? 1 : 0, index };
      const object = review(mutation, webhook, reviewed, place);
      if (!jsonEqual(object, current.object)) {
        current = { ...current, object };
        state.changed();
      }
      if (webhook.isReinvoked) {
        state.invoked(webhook.id);
      }
    }
  }
  state.end(current.object);
  return current.object;
}

/** Calls one webhook and returns the object after it. */
function review(
  mutation: Mutation,
  webhook: AdmissionWebhook,
  reviewed: ReviewedRequest,
  place: CallPlace,
): JsonObject | undefined {
  const { object } = reviewed.attributes;
  try {
    const after = objectAfter(mutation, webhook, reviewed, place);
    annotateMutation(mutation, webhook, place, !jsonEqual(after, object));
    return after;
  } catch (error) {
    if (error instanceof PendingCall) {
      throw error;
    }
    annotateMutation(mutation, webhook, place, false);
    if (!(error instanceof WebhookCallError)) {
      throw error;
    }
    if (!webhook.ignoresFailures) {
      throw error.toStatusError();
    }
    annotateFailure(mutation, "mutation", webhook, place);
    return object;
  }
}

function objectAfter(
  mutation: Mutation,
  webhook: AdmissionWebhook,
  reviewed: ReviewedRequest,
  place: CallPlace,
): JsonObject | undefined {
  const { attributes, match } = reviewed;
  const call = reviewCall(mutation, "mutating", webhook, reviewed);
  const { patch, patchType } = allowedReview(mutation, call);
  const patched = patchedBy({ webhook: webhook.name, patchType, patch }, reviewed.object);
  if (patched === undefined) {
    return attributes.object;
  }
  if ("operations" in patch) {
    annotatePatch(mutation, webhook, place, patch.operations);
  }
  return mutation.read(inVersionOf(patched, match.resource, attributes.resource) ?? patched);
}
