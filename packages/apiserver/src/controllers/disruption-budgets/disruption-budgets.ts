import type { ApiObject } from "../../objects/api-object.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { selects } from "../../objects/selects.js";
import type { StoreEvent } from "../../store/history.js";
import { splitKey } from "../pods/owned-pods.js";
import type { Controller, Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import type { EventText } from "../runtime/event-object.js";
import { budgetStorage, writeBudget, writeProblem } from "./budget-status.js";
import { disruptedPods, recheckIn } from "./disrupted-pods.js";
import { healthyWanted } from "./healthy-wanted.js";

/** Maintains the status of PodDisruptionBudgets, on which evictions depend: healthy pods and allowed disruptions. */
export function createDisruptionController(context: ControllerParts): Controller {
  return {
    name: "disruption-budgets",
    follows: [budgetStorage, "pods"],
    keysOf: (event, storage) => keysOf(context, event, storage),
    reconcile: (key) => reconcile(context, key),
  };
}

function* keysOf(
  { writer }: ControllerParts,
  { key, namespace, object, previous }: StoreEvent,
  storage: string,
): Iterable<string> {
  if (storage === budgetStorage) {
    yield key;
    return;
  }
  for (const { metadata, spec } of writer.list(budgetStorage, namespace)) {
    const { selector } = mapOf(spec);
    if (selects(selector, object) || (previous !== undefined && selects(selector, previous))) {
      yield `${namespace}/${metadata.name}`;
    }
  }
}

function reconcile(context: ControllerParts, key: string): Reconciled {
  const { server, writer } = context;
  const budget = writer.get(budgetStorage, ...splitKey(key));
  if (budget === undefined) {
    return undefined;
  }
  const pods = writer
    .list("pods", budget.metadata.namespace ?? "")
    .filter((pod) => selects(specOf(budget)["selector"], pod));
  if (pods.length === 0) {
    record(context, budget, { reason: "NoPods", message: "No matching pods found" });
  }
  const wanted = healthyWanted(context, budget, pods);
  if ("problem" in wanted) {
    const message = `Failed to calculate the number of expected pods: ${wanted.problem}`;
    const reason = "CalculateExpectedPodCountFailed";
    record(context, budget, { type: "Warning", reason, message });
    writeProblem(context, budget, wanted.problem);
    return undefined;
  }
  const disrupted = disruptedPods(budget, pods, server.clock.now());
  writeBudget(context, budget, pods, wanted, disrupted);
  return recheckIn(disrupted, server.clock.now());
}

function record({ events }: ControllerParts, budget: ApiObject, text: EventText): void {
  events.record(budget, text, { component: "controllermanager" });
}
