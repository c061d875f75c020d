import { formatLabelSelector, matchesLabels, parseLabelSelector } from "@typekube/core";
import { internalAdmission } from "../../admission/admission-chain.js";
import type { ServerContext } from "../../context/server-context.js";
import { createObjectWriter, type ObjectWriter } from "../../controllers/runtime/object-writer.js";
import { failure, type StatusError } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { conditionsOf, findCondition } from "../../objects/conditions.js";
import { getPath, isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import { timestamp } from "../../objects/timestamp.js";
import { existing } from "../../phases/read/read-objects.js";
import { assertDeletePreconditions, deleteObject } from "../../phases/write/delete-object.js";
import { readDeleteOptionsOf } from "../../request/delete-options.js";
import type { ResourceRequest } from "../../request/request-info.js";
import { objectKey } from "../../store/store.js";

const budgets = "poddisruptionbudgets.policy";

/** Field manager of the server's own writes to budgets. */
const serverManager = "kube-apiserver";

/** Value of `retryAfterSeconds` while the budget's controller has not processed the budget. */
const unseenRetrySeconds = 10;

/** Deletes a pod as requested by an Eviction, unless a disruption budget forbids it. */
export async function evictPod(
  server: ServerContext,
  request: ResourceRequest,
  eviction: JsonObject,
  dryRun: boolean,
): Promise<void> {
  const writer = createObjectWriter(server, serverManager, internalAdmission);
  await writer.prepare([budgets]);
  const { resource, namespace, name } = request;
  const pod = existing(server, resource, namespace, name);
  const given = readDeleteOptionsOf(new URLSearchParams(), mapOf(eviction["deleteOptions"]));
  const options = { ...given, dryRun: dryRun || given.dryRun };
  if (!ignoresBudgets(pod)) {
    const [budget, second] = budgetsOf(server, pod);
    if (second !== undefined) {
      const why =
        "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
      throw failure(500, undefined, why);
    }
    if (budget !== undefined && !isFree(pod, budget)) {
      assertAllowed(budget);
      if (!options.dryRun) {
        spend(writer, budget, pod, timestamp(server.clock));
      }
    }
  }
  assertDeletePreconditions(resource, pod, options, objectKey(namespace, name));
  if (!options.dryRun) {
    setDisruptionTarget(server, resource.storage, pod);
  }
  deleteObject(server, request, { ...options, resourceVersion: undefined });
}

/** Returns whether a pod is pending, finished or being deleted; budgets don't apply to such pods. */
function ignoresBudgets({ metadata, status }: ApiObject): boolean {
  const phase = getPath(status, "phase");
  return (
    metadata.deletionTimestamp !== undefined ||
    phase === "Failed" ||
    phase === "Pending" ||
    phase === "Succeeded"
  );
}

function budgetsOf({ store }: ServerContext, { metadata }: ApiObject): ApiObject[] {
  const inNamespace = store.collection(budgets).entries(objectKey(metadata.namespace ?? "", ""));
  return inNamespace
    .map(([, budget]) => budget)
    .filter((budget) => {
      const selector = getPath(budget["spec"], "selector");
      return (
        isJsonObject(selector) &&
        matchesLabels(parseLabelSelector(formatLabelSelector(selector)), metadata.labels)
      );
    });
}

/**
 * Returns whether a pod may be evicted regardless of the allowed disruptions: it is not ready, and its budget permits
 * that.
 */
function isFree(pod: ApiObject, budget: ApiObject): boolean {
  if (findCondition(pod, "Ready")?.["status"] === "True") {
    return false;
  }
  const { desiredHealthy, currentHealthy } = countsOf(budget);
  return (
    getPath(budget["spec"], "unhealthyPodEvictionPolicy") === "AlwaysAllow" ||
    (desiredHealthy > 0 && currentHealthy >= desiredHealthy)
  );
}

function countsOf({ status }: ApiObject) {
  const count = (key: string) => Number(getPath(status, key) ?? 0);
  return {
    observedGeneration: count("observedGeneration"),
    disruptionsAllowed: count("disruptionsAllowed"),
    desiredHealthy: count("desiredHealthy"),
    currentHealthy: count("currentHealthy"),
  };
}

function assertAllowed(budget: ApiObject): void {
  const { name = "", generation = 0 } = budget.metadata;
  const { observedGeneration, disruptionsAllowed, ...healthy } = countsOf(budget);
  const { desiredHealthy: wanted, currentHealthy: current } = healthy;
  if (observedGeneration < generation) {
    const why = `The disruption budget ${name} is still being processed by the server.`;
    throw held(why, unseenRetrySeconds);
  }
  if (disruptionsAllowed <= 0) {
    throw held(
      current <= wanted
        ? `The disruption budget ${name} needs ${wanted} healthy pods and has ${current} currently`
        : `The disruption budget ${name} does not allow evicting pods currently`,
    );
  }
}

function held(message: string, retryAfterSeconds?: number): StatusError {
  return failure(
    429,
    "TooManyRequests",
    "Cannot evict pod as it would violate the pod's disruption budget.",
    {
      causes: [{ reason: "DisruptionBudget", message }],
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
  );
}

/** Uses one disruption of a budget, records the pod in it, and sets the condition when none is left. */
function spend(writer: ObjectWriter, budget: ApiObject, pod: ApiObject, now: string): void {
  const status = mapOf(budget["status"]);
  const { disruptionsAllowed, observedGeneration } = countsOf(budget);
  const type = "DisruptionAllowed";
  const exhausted: JsonObject = {
    type,
    status: "False",
    observedGeneration,
    lastTransitionTime: now,
    reason: "InsufficientPods",
    message: "",
  };
  const others = conditionsOf(budget).filter((one) => one["type"] !== type);
  const left = disruptionsAllowed - 1;
  writer.update(
    budgets,
    {
      ...budget,
      status: {
        ...status,
        disruptedPods: { ...mapOf(status["disruptedPods"]), [pod.metadata.name ?? ""]: now },
        disruptionsAllowed: left,
        ...(left === 0 ? { conditions: [...others, exhausted] } : {}),
      },
    },
    "status",
  );
}

/** Sets the pod's DisruptionTarget condition before its deletion. No field manager owns it. */
function setDisruptionTarget(
  { store, clock }: ServerContext,
  storage: string,
  pod: ApiObject,
): void {
  const type = "DisruptionTarget";
  if (findCondition(pod, type)?.["status"] === "True") {
    return;
  }
  const why: JsonObject = {
    type,
    status: "True",
    lastProbeTime: null,
    lastTransitionTime: timestamp(clock),
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
  };
  const others = conditionsOf(pod).filter((one) => one["type"] !== type);
  const { name = "", namespace = "" } = pod.metadata;
  store.put(storage, objectKey(namespace, name), {
    ...pod,
    status: { ...mapOf(pod["status"]), conditions: [...others, why] },
  });
}
