import type { JsonObject } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";
import { sinceText } from "../../../response/table/age.js";

/** State of a pod as shown by `kubectl get pods`. */
export interface PodState {
  readonly reason: string;
  readonly ready: number;
  readonly containers: number;
  readonly restarts: number;
  /** Time of the last restart in milliseconds since the epoch; 0 for none. */
  readonly lastRestart: number;
}

interface Counted {
  restarts: number;
  lastRestart: number;
}

/** Aggregates the states of all containers. */
export function podState(pod: JsonObject): PodState {
  const spec = specOf(pod);
  const status = mapOf(pod["status"]);
  const conditions = objectsOf(status["conditions"]);
  const phase = String(status["phase"] ?? "");
  let reason = String(status["reason"] || phase);
  if (
    conditions.some((one) => one["type"] === "PodScheduled" && one["reason"] === "SchedulingGated")
  ) {
    reason = "SchedulingGated";
  }
  const sidecars = new Set(
    objectsOf(spec["initContainers"])
      .filter(({ restartPolicy }) => restartPolicy === "Always")
      .map(({ name }) => name),
  );
  const init = initState(spec, status, sidecars);
  const main: Counted & { ready: number } = { ...init.sidecars, ready: init.ready };
  const isInitialized = isTrue(conditions, "Initialized");
  const shown = init.reason === undefined || isInitialized;
  let counted: Counted = init.all;
  reason = init.reason ?? reason;
  if (shown) {
    reason = containersState(status, reason, main, isTrue(conditions, "Ready"));
    counted = main;
  }
  const { deletionTimestamp } = mapOf(pod["metadata"]);
  if (deletionTimestamp !== undefined && status["reason"] === "NodeLost") {
    reason = "Unknown";
  } else if (deletionTimestamp !== undefined && phase !== "Failed" && phase !== "Succeeded") {
    reason = "Terminating";
  }
  const containers = objectsOf(spec["containers"]).length + sidecars.size;
  return { reason, ready: main.ready, containers, ...pick(counted) };
}

/** Formats restarts as `3 (5m ago)`. */
export function restartsText({ restarts, lastRestart }: PodState, now: number): string {
  return restarts !== 0 && lastRestart !== 0
    ? `${restarts} (${sinceText(new Date(lastRestart).toISOString(), now)} ago)`
    : String(restarts);
}

function pick({ restarts, lastRestart }: Counted): Counted {
  return { restarts, lastRestart };
}

function initState(spec: JsonObject, status: JsonObject, sidecarNames: ReadonlySet<unknown>) {
  const all: Counted = { restarts: 0, lastRestart: 0 };
  const sidecars: Counted = { restarts: 0, lastRestart: 0 };
  let ready = 0;
  let reason: string | undefined;
  for (const [at, one] of objectsOf(status["initContainerStatuses"]).entries()) {
    const isSidecar = sidecarNames.has(one["name"]);
    count(all, one);
    if (isSidecar) {
      count(sidecars, one);
    }
    const { terminated, waiting } = statesOf(one);
    if (terminated !== undefined && terminated["exitCode"] === 0) {
      continue;
    }
    if (isSidecar && one["started"] === true) {
      ready += one["ready"] === true ? 1 : 0;
      continue;
    }
    const why = waiting?.["reason"] ?? "";
    reason =
      terminated !== undefined
        ? `Init:${endOf(terminated)}`
        : why !== "" && why !== "PodInitializing"
          ? `Init:${String(why)}`
          : `Init:${at}/${objectsOf(spec["initContainers"]).length}`;
    break;
  }
  return { all, sidecars, ready, reason };
}

function containersState(
  status: JsonObject,
  before: string,
  counted: Counted & { ready: number },
  isReady: boolean,
): string {
  let reason = before;
  let isRunning = false;
  // Iterate in reverse, so that the first container determines the reason.
  for (const one of objectsOf(status["containerStatuses"]).reverse()) {
    count(counted, one);
    const { terminated, waiting, running } = statesOf(one);
    const why = waiting?.["reason"] ?? "";
    if (why !== "") {
      reason = String(why);
    } else if (terminated !== undefined) {
      reason = endOf(terminated);
    } else if (one["ready"] === true && running !== undefined) {
      isRunning = true;
      counted.ready += 1;
    }
  }
  return reason === "Completed" && isRunning ? (isReady ? "Running" : "NotReady") : reason;
}

function count(counted: Counted, status: JsonObject): void {
  counted.restarts += Number(status["restartCount"] ?? 0);
  const last = mapOf(mapOf(status["lastState"])["terminated"]);
  const finished = Date.parse(String(last["finishedAt"]));
  if (!Number.isNaN(finished)) {
    counted.lastRestart = Math.max(counted.lastRestart, finished);
  }
}

function statesOf(
  status: JsonObject,
): Partial<Record<"running" | "terminated" | "waiting", JsonObject>> {
  return mapOf(status["state"]);
}

function endOf({ reason, signal, exitCode }: JsonObject): string {
  if (reason !== undefined && reason !== "") {
    return String(reason);
  }
  return signal !== undefined && signal !== 0
    ? `Signal:${String(signal)}`
    : `ExitCode:${String(exitCode)}`;
}

function isTrue(conditions: readonly JsonObject[], type: string): boolean {
  return conditions.some((one) => one["type"] === type && one["status"] === "True");
}
