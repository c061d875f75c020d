import { formatLabelSelector, matchesLabels, parseLabelSelector } from "@typekube/core";
import { conditionsOf, findCondition } from "../controllers/conditions.js";
import { createObjectWriter, type ObjectWriter } from "../controllers/object-writer.js";
import { mapOf } from "../kinds/parts.js";
import { existing } from "../read/read-objects.js";
import { readDeleteOptionsOf } from "../request/delete-options.js";
import type { ResourceRequest } from "../request/request-info.js";
import { failure, type StatusError } from "../response/status-errors.js";
import { type ServerContext, timestamp } from "../server-context.js";
import { getPath, isJsonObject, type JsonObject } from "../store/json-value.js";
import { objectKey } from "../store/store.js";
import type { ApiObject } from "../store/stored-object.js";
import { assertDeletePreconditions, deleteObject } from "./delete-object.js";

const budgets = "poddisruptionbudgets.policy";

/** Under which name the server itself writes what a budget has left. */
const serverManager = "kube-apiserver";

/** Seconds to come back in while a budget's controller has not looked at it yet. */
const unseenRetrySeconds = 10;

/** Deletes a pod as its Eviction says, unless a disruption budget keeps it. */
export async function evictPod(
  server: ServerContext,
  request: ResourceRequest,
  eviction: JsonObject,
  dryRun: boolean,
): Promise<void> {
  const writer = createObjectWriter(server, serverManager);
  await writer.prepare([budgets]);
  const { resource, namespace, name } = request;
  const pod = existing(server, resource, namespace, name);
  const given = readDeleteOptionsOf(new URLSearchParams(), mapOf(eviction["deleteOptions"]));
  const options = { ...given, dryRun: dryRun || given.dryRun };
  if (!isGoneAnyway(pod)) {
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
    tellWhy(server, resource.storage, pod);
  }
  deleteObject(server, request, { ...options, resourceVersion: undefined });
}

/** Pods that serve nobody, or no more, are not what budgets are about. */
function isGoneAnyway({ metadata, status }: ApiObject): boolean {
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

/** Whether a pod may go whatever its budget has left: one that is not ready serves nobody, as far as its budget agrees. */
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

/** Takes one disruption from a budget, which remembers for whom, and says so once none is left. */
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

/** The pod says why it goes before it does; nobody owns what it says. */
function tellWhy({ store, clock }: ServerContext, storage: string, pod: ApiObject): void {
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
