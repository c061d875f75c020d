import { formatLabelSelector, matchesLabels, parseLabelSelector } from "@typekube/core";
import { readDeleteOptionsOf } from "../request/delete-options.js";
import type { ResourceRequest } from "../request/request-info.js";
import { failure, type StatusError } from "../response/status-errors.js";
import { type ServerContext, timestamp } from "../server-context.js";
import type { Entry } from "../store/collection.js";
import { getPath, isJsonObject, type JsonObject } from "../store/json-value.js";
import { objectKey } from "../store/store.js";
import type { ApiObject } from "../store/stored-object.js";
import { deleteObject } from "./delete-object.js";

const budgets = "poddisruptionbudgets.policy";

/** Seconds to come back in while a budget's controller has not looked at it yet. */
const unseenRetrySeconds = 10;

/** Deletes a pod as its Eviction says, unless a disruption budget keeps it. */
export function evictPod(
  server: ServerContext,
  request: ResourceRequest,
  pod: ApiObject,
  eviction: JsonObject,
  dryRun: boolean,
): void {
  const given = isJsonObject(eviction["deleteOptions"]) ? eviction["deleteOptions"] : {};
  const options = readDeleteOptionsOf(new URLSearchParams(), given);
  const isDry = dryRun || options.dryRun;
  if (!isGoneAnyway(pod)) {
    for (const [key, budget] of budgetsOf(server, pod)) {
      assertAllowed(budget);
      if (!isDry) {
        server.store.put(budgets, key, spent(budget, pod, timestamp(server.clock)));
      }
    }
  }
  deleteObject(server, request, { ...options, dryRun: isDry });
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

function budgetsOf({ store }: ServerContext, { metadata }: ApiObject): Entry[] {
  const inNamespace = store.collection(budgets).entries(objectKey(metadata.namespace ?? "", ""));
  return inNamespace.filter(([, budget]) => {
    const selector = getPath(budget["spec"], "selector");
    return (
      isJsonObject(selector) &&
      matchesLabels(parseLabelSelector(formatLabelSelector(selector)), metadata.labels)
    );
  });
}

function assertAllowed({ metadata, status }: ApiObject): void {
  const { name = "", generation = 0 } = metadata;
  if (Number(getPath(status, "observedGeneration") ?? 0) < Number(generation)) {
    const why = `The disruption budget ${name} is still being processed by the server.`;
    throw held(why, unseenRetrySeconds);
  }
  if (Number(getPath(status, "disruptionsAllowed") ?? 0) <= 0) {
    const wanted = getPath(status, "desiredHealthy") ?? 0;
    const healthy = getPath(status, "currentHealthy") ?? 0;
    throw held(
      `The disruption budget ${name} needs ${wanted} healthy pods and has ${healthy} currently`,
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

/** A budget with one disruption less, which remembers for whom. */
function spent(budget: ApiObject, pod: ApiObject, now: string): ApiObject {
  const status = isJsonObject(budget["status"]) ? budget["status"] : {};
  const disrupted = isJsonObject(status["disruptedPods"]) ? status["disruptedPods"] : {};
  return {
    ...budget,
    status: {
      ...status,
      disruptedPods: { ...disrupted, [pod.metadata.name ?? ""]: now },
      disruptionsAllowed: Number(status["disruptionsAllowed"]) - 1,
    },
  };
}
