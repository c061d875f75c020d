import type { ApiObject } from "../../objects/api-object.js";
import { getPath } from "../../objects/json-value.js";
import { isGoing } from "../../objects/owner-references.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { availableIn, hasEnded, isReady } from "../pods/pods.js";
import type { Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { retainClaims } from "./claim-retention.js";
import { isIn, type NumberRange, numberOf, rangeOf, revisionOf } from "./set-facts.js";
import { createSetPod, removeSetPod } from "./set-pods.js";

/** The pods that a StatefulSet has and those that it wants. */
interface Arrangement {
  readonly set: ApiObject;
  readonly byNumber: ReadonlyMap<number, ApiObject>;
  readonly wanted: NumberRange;
  readonly revision: string;
  /** `true` when each pod waits for the previous one. */
  readonly isOrdered: boolean;
}

/**
 * Creates missing pods, deletes surplus ones, and replaces outdated ones, as far as the order of the pods allows now.
 *
 * @returns the milliseconds until a pod that others wait for is available.
 */
export function arrangePods(
  context: ControllerParts,
  set: ApiObject,
  pods: readonly ApiObject[],
  revision: string,
): Reconciled {
  const wanted = rangeOf(set);
  const byNumber = new Map(pods.map((pod) => [numberOf(set, pod), pod]));
  const isOrdered = specOf(set)["podManagementPolicy"] !== "Parallel";
  const arrangement: Arrangement = { set, byNumber, wanted, revision, isOrdered };
  retainClaims(context, set, pods, (pod) => isIn(wanted, numberOf(set, pod)));
  const filled = fillNumbers(context, arrangement);
  if (filled !== "continue") {
    return filled;
  }
  if (!removeSurplus(context, arrangement)) {
    replaceOutdated(context, arrangement);
  }
  return undefined;
}

/** Creates missing pods from the first number, and deletes ended ones so that they are created again. */
function fillNumbers(context: ControllerParts, arrangement: Arrangement): Reconciled | "continue" {
  const { set, byNumber, wanted, revision, isOrdered } = arrangement;
  const minReadySeconds = Number(specOf(set)["minReadySeconds"] ?? 0);
  const now = context.server.clock.now();
  for (let number = wanted.start; number < wanted.end; number++) {
    const pod = byNumber.get(number);
    if (pod === undefined) {
      createSetPod(context, set, number, revision);
      if (isOrdered) {
        return undefined;
      }
    } else if (hasEnded(pod)) {
      removeSetPod(context, set, pod);
      return undefined;
    } else {
      const left = isGoing(pod) ? undefined : availableIn(pod, minReadySeconds, now);
      if (isOrdered && left !== 0) {
        return left;
      }
    }
  }
  return "continue";
}

/** Deletes pods with unwanted numbers from the last; returns whether there were any. */
function removeSurplus(
  context: ControllerParts,
  { set, byNumber, wanted, isOrdered }: Arrangement,
): boolean {
  const surplus = [...byNumber]
    .filter(([number]) => !isIn(wanted, number))
    .sort(([a], [b]) => b - a);
  for (const [, pod] of isOrdered ? surplus.slice(0, 1) : surplus) {
    removeSetPod(context, set, pod);
  }
  return surplus.length > 0;
}

/** Deletes the last pod of an older template once all pods after it are ready. */
function replaceOutdated(
  context: ControllerParts,
  { set, byNumber, wanted, revision }: Arrangement,
): void {
  const { updateStrategy } = specOf(set);
  if (mapOf(updateStrategy)["type"] === "OnDelete") {
    return;
  }
  const partition = Number(getPath(updateStrategy, "rollingUpdate", "partition") ?? 0);
  for (let number = wanted.end - 1; number >= Math.max(wanted.start, partition); number--) {
    const pod = byNumber.get(number);
    if (pod === undefined || isGoing(pod)) {
      return;
    }
    if (revisionOf(pod) !== revision) {
      removeSetPod(context, set, pod);
      return;
    }
    if (!isReady(pod)) {
      return;
    }
  }
}
