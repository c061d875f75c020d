import type { FailurePolicy, MatchConditions, MatchOutcome } from "@typekube/policy";
import type { ServerContext } from "../../context/server-context.js";
import { conditionsOf } from "../../kinds/admissionregistration/match-conditions.js";
import { policyPackage } from "../../kinds/admissionregistration/policy-package.js";
import type { JsonObject } from "../../objects/json-value.js";
import type { ReviewedRequest } from "../matching/reviewed-request.js";
import { expressionInput } from "./expression-input.js";

/** Compiled conditions by their list, which is read once for each change of a configuration. */
const compiled = new WeakMap<readonly JsonObject[], MatchConditions>();

/**
 * Evaluates the `matchConditions` of a webhook for a request. (apiserver `matchconditions.Matcher`)
 *
 * @throws {PendingCall} when CEL is not loaded yet.
 */
export function evaluateConditions(
  conditions: readonly JsonObject[],
  reviewed: ReviewedRequest,
  server: Pick<ServerContext, "access" | "store">,
  failurePolicy: FailurePolicy,
): MatchOutcome {
  const known =
    compiled.get(conditions) ?? policyPackage().webhookConditions(conditionsOf(conditions));
  compiled.set(conditions, known);
  return known.match(expressionInput(reviewed, server), failurePolicy);
}
