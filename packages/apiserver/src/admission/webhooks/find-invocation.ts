import type { AdmissionScope } from "../../context/admission-scope.js";
import { forbidden } from "../../errors/status-errors.js";
import type { AdmissionAttributes } from "../attributes.js";
import { evaluateConditions } from "../expressions/match-conditions.js";
import { findMatch } from "../matching/find-match.js";
import { matchesNamespace, matchesObject } from "../matching/matches-selectors.js";
import type { ReviewedRequest } from "../matching/reviewed-request.js";
import { reviewedAs } from "../matching/versioned-objects.js";
import type { AdmissionWebhook } from "./admission-webhook.js";

/**
 * Returns the request as a webhook must review it; `undefined` when the webhook is not to be called. (apiserver
 * `ShouldCallHook`)
 *
 * @throws {StatusError} 404 for an unknown namespace; 403 when a match condition fails and failures are not ignored.
 */
export function findInvocation(
  scope: AdmissionScope,
  webhook: AdmissionWebhook,
  attributes: AdmissionAttributes,
): ReviewedRequest | undefined {
  const { registry, store } = scope.server;
  if (!matchesObject(webhook.objectSelector, attributes)) {
    return undefined;
  }
  const match = findMatch(webhook, attributes, registry);
  if (match === undefined || !matchesNamespace(webhook.namespaceSelector, attributes, store)) {
    return undefined;
  }
  const reviewed = reviewedAs(attributes, match);
  return meetsConditions(scope, webhook, reviewed) ? reviewed : undefined;
}

function meetsConditions(
  { server }: AdmissionScope,
  { matchConditions, ignoresFailures }: AdmissionWebhook,
  reviewed: ReviewedRequest,
): boolean {
  if (matchConditions.length === 0) {
    return true;
  }
  const failurePolicy = ignoresFailures ? "Ignore" : "Fail";
  const { matches, error } = evaluateConditions(matchConditions, reviewed, server, failurePolicy);
  if (error === undefined) {
    return matches;
  }
  const { resource, name } = reviewed.attributes;
  throw forbidden(resource, name, error);
}
