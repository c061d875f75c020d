import type { ApiObject } from "../../objects/api-object.js";
import { conditionsOf, withConditionText } from "../../objects/conditions.js";
import { getPath, type JsonObject } from "../../objects/json-value.js";
import { isGoing } from "../../objects/owner-references.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { selects } from "../../objects/selects.js";
import type { StoreEvent } from "../../store/history.js";
import { splitKey } from "../pods/owned-pods.js";
import { isReady } from "../pods/pods.js";
import type { Controller, Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import type { EventText } from "../runtime/event-recorder.js";
import { writeIfChanged } from "../runtime/write-status.js";
import { expectedScale } from "./expected-scale.js";

const storage = "poddisruptionbudgets.policy";
const conditionType = "DisruptionAllowed";

/** Milliseconds until an evicted pod that was not deleted counts again: `DeletionTimeout` of the disruption controller. */
const deletionTimeoutMs = 120_000;

/** Maintains the status of PodDisruptionBudgets, on which evictions depend: healthy pods and allowed disruptions. */
export function createDisruptionController(parts: ControllerParts): Controller {
  const { server, writer, events } = parts;
  const { clock } = server;

  const reconcile = (key: string): Reconciled => {
    const budget = writer.get(storage, ...splitKey(key));
    if (budget === undefined) {
      return undefined;
    }
    const pods = writer
      .list("pods", budget.metadata.namespace ?? "")
      .filter((pod) => selects(specOf(budget)["selector"], pod));
    if (pods.length === 0) {
      tell(budget, { reason: "NoPods", message: "No matching pods found" });
    }
    const wanted = healthyWanted(budget, pods);
    if ("problem" in wanted) {
      const message = `Failed to calculate the number of expected pods: ${wanted.problem}`;
      tell(budget, { type: "Warning", reason: "CalculateExpectedPodCountFailed", message });
      writeProblem(budget, wanted.problem);
      return undefined;
    }
    const disrupted = disruptedPods(budget, pods);
    const currentHealthy = pods.filter(
      (pod) => !isGoing(pod) && !(String(pod.metadata.name) in disrupted) && isReady(pod),
    ).length;
    const { desiredHealthy, expectedPods } = wanted;
    const allowed = expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0;
    writeIfChanged(parts, storage, budget, {
      currentHealthy,
      desiredHealthy,
      expectedPods,
      disruptionsAllowed: allowed,
      ...(Object.keys(disrupted).length > 0 ? { disruptedPods: disrupted } : {}),
      observedGeneration: budget.metadata.generation,
      conditions: conditionsWith(
        budget,
        allowed > 0 ? "True" : "False",
        allowed > 0 ? "SufficientPods" : "InsufficientPods",
      ),
    });
    return recheckIn(disrupted);
  };

  const tell = (budget: ApiObject, text: EventText) =>
    events.record(budget, text, { component: "controllermanager" });

  /** Returns the expected pods and how many of them must be healthy. */
  const healthyWanted = (
    budget: ApiObject,
    pods: readonly ApiObject[],
  ):
    | { readonly desiredHealthy: number; readonly expectedPods: number }
    | { readonly problem: string } => {
    const { maxUnavailable, minAvailable } = specOf(budget);
    if (maxUnavailable === undefined && typeof minAvailable !== "string") {
      return { desiredHealthy: Number(minAvailable ?? 0), expectedPods: pods.length };
    }
    const scale = expectedScale(parts, pods);
    if ("problem" in scale) {
      return scale;
    }
    const { count } = scale;
    const desired =
      maxUnavailable === undefined
        ? scaledUp(minAvailable, count)
        : Math.max(0, count - scaledUp(maxUnavailable, count));
    return { desiredHealthy: desired, expectedPods: count };
  };

  /** Returns evicted pods that are not deleted yet; they don't count as healthy. */
  const disruptedPods = (budget: ApiObject, pods: readonly ApiObject[]): JsonObject => {
    const known = mapOf(getPath(budget, "status", "disruptedPods"));
    const kept = pods.filter((pod) => {
      const since = known[pod.metadata.name ?? ""];
      return since !== undefined && !isGoing(pod) && leftOf(since) > 0;
    });
    return Object.fromEntries(kept.map(({ metadata: { name = "" } }) => [name, known[name]]));
  };

  const leftOf = (since: unknown) => Date.parse(String(since)) + deletionTimeoutMs - clock.now();

  const recheckIn = (disrupted: JsonObject): Reconciled => {
    const waits = Object.values(disrupted).map(leftOf);
    return waits.length === 0 ? undefined : Math.min(...waits);
  };

  const conditionsWith = (
    budget: ApiObject,
    status: "False" | "True",
    reason: string,
    message = "",
  ): JsonObject[] => {
    const before = conditionsOf(budget);
    const text = { type: conditionType, status, reason, message };
    return withConditionText(before, text, clock).map((one) =>
      one["type"] === conditionType
        ? { ...one, message, observedGeneration: budget.metadata.generation }
        : one,
    );
  };

  /** Without a count, no disruption is allowed. */
  const writeProblem = (budget: ApiObject, problem: string) =>
    writeIfChanged(parts, storage, budget, {
      ...mapOf(budget["status"]),
      disruptionsAllowed: 0,
      conditions: conditionsWith(budget, "False", "SyncFailed", problem),
    });

  function* keysOf({ key, namespace, object, previous }: StoreEvent, from: string) {
    if (from === storage) {
      yield key;
      return;
    }
    for (const { metadata, spec } of writer.list(storage, namespace)) {
      const { selector } = mapOf(spec);
      if (selects(selector, object) || (previous !== undefined && selects(selector, previous))) {
        yield `${namespace}/${metadata.name}`;
      }
    }
  }

  return { name: "disruption-budgets", follows: [storage, "pods"], keysOf, reconcile };
}

/** Returns a number, or a percentage of the total, rounded up. */
function scaledUp(value: unknown, whole: number): number {
  return typeof value === "string"
    ? Math.ceil((Number.parseInt(value, 10) * whole) / 100)
    : Number(value);
}
