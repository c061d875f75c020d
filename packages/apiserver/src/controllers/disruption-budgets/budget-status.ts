import type { ApiObject } from "../../objects/api-object.js";
import { type ConditionText, conditionsOf, withConditionText } from "../../objects/conditions.js";
import type { JsonObject } from "../../objects/json-value.js";
import { isGoing } from "../../objects/owner-references.js";
import { mapOf } from "../../objects/parts.js";
import { isReady } from "../pods/pods.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { writeIfChanged } from "../runtime/write-status.js";
import type { HealthyWanted } from "./healthy-wanted.js";

export const budgetStorage = "poddisruptionbudgets.policy";

/** Writes the healthy pods and allowed disruptions of a budget. */
export function writeBudget(
  context: ControllerParts,
  budget: ApiObject,
  pods: readonly ApiObject[],
  { desiredHealthy, expectedPods }: HealthyWanted,
  disrupted: JsonObject,
): void {
  const currentHealthy = pods.filter(
    (pod) => !isGoing(pod) && !(String(pod.metadata.name) in disrupted) && isReady(pod),
  ).length;
  const allowed = expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0;
  writeIfChanged(context, budgetStorage, budget, {
    currentHealthy,
    desiredHealthy,
    expectedPods,
    disruptionsAllowed: allowed,
    ...(Object.keys(disrupted).length > 0 ? { disruptedPods: disrupted } : {}),
    observedGeneration: budget.metadata.generation,
    conditions: conditionsWith(context, budget, {
      status: allowed > 0 ? "True" : "False",
      reason: allowed > 0 ? "SufficientPods" : "InsufficientPods",
      message: "",
    }),
  });
}

/** Writes that the expected pods of a budget can't be counted: no disruption is allowed then. */
export function writeProblem(context: ControllerParts, budget: ApiObject, message: string): void {
  writeIfChanged(context, budgetStorage, budget, {
    ...mapOf(budget["status"]),
    disruptionsAllowed: 0,
    conditions: conditionsWith(context, budget, { status: "False", reason: "SyncFailed", message }),
  });
}

function conditionsWith(
  { server }: ControllerParts,
  budget: ApiObject,
  text: Omit<Required<ConditionText>, "type">,
): JsonObject[] {
  const type = "DisruptionAllowed";
  const { message } = text;
  const observedGeneration = budget.metadata.generation;
  return withConditionText(conditionsOf(budget), { type, ...text }, server.clock).map((one) =>
    one["type"] === type ? { ...one, message, observedGeneration } : one,
  );
}
