import type { AdmissionScope } from "../../context/admission-scope.js";
import { forbidden } from "../../errors/status-errors.js";
import type { AdmissionAttributes } from "../attributes.js";
import { findMatch, type Match } from "../matching/find-match.js";
import { evaluateConditions } from "../matching/match-conditions.js";
import { matchesNamespace, matchesObject } from "../matching/matches-selectors.js";
import type { ReviewedRequest } from "../matching/reviewed-request.js";
import { inVersionOf } from "../matching/versioned-objects.js";
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
  const reviewed = inMatchedVersion(attributes, match);
  return meetsConditions(scope, webhook, reviewed) ? reviewed : undefined;
}

function inMatchedVersion(attributes: AdmissionAttributes, match: Match): ReviewedRequest {
  const { resource, object, oldObject } = attributes;
  return {
    attributes,
    match,
    object: inVersionOf(object, resource, match.resource),
    oldObject: inVersionOf(oldObject, resource, match.resource),
  };
}

function meetsConditions(
  { server }: AdmissionScope,
  { matchConditions, ignoresFailures }: AdmissionWebhook,
  reviewed: ReviewedRequest,
): boolean {
  if (matchConditions.length === 0) {
    return true;
  }
  const { matches, error } = evaluateConditions(matchConditions, reviewed, server);
  if (error === undefined || ignoresFailures) {
    return matches;
  }
  const { resource, name } = reviewed.attributes;
  throw forbidden(resource, name, error);
}
