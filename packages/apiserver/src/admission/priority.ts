import type { ServerContext } from "../context/server-context.js";
import type { Write } from "../context/write.js";
import { forbidden, type StatusError } from "../errors/status-errors.js";
import type { ApiObject } from "../objects/api-object.js";
import { specOf, withSpec } from "../objects/parts.js";
import type { Store } from "../store/store.js";

const storage = "priorityclasses.scheduling.k8s.io";

const builtInPriorities: Readonly<Record<string, number>> = {
  "system-cluster-critical": 2_000_000_000,
  "system-node-critical": 2_000_001_000,
};

/**
 * Sets the priority of a pod from its class or the default class, otherwise 0.
 *
 * @throws {StatusError} 403 for a class that does not exist and for a pod that contradicts its class.
 */
export function withPriority(pod: ApiObject, server: ServerContext): ApiObject {
  const { store } = server;
  const spec = specOf(pod);
  const name = spec["priorityClassName"];
  const classes = store.collection("priorityclasses.scheduling.k8s.io");
  let priority: unknown = 0;
  let preemptionPolicy: unknown = "PreemptLowerPriority";
  let className = name;
  if (typeof name === "string" && name !== "") {
    const found = classes.get(name);
    if (found === undefined && !Object.hasOwn(builtInPriorities, name)) {
      throw refused(pod, server, `no PriorityClass with name ${name} was found`);
    }
    priority = found?.["value"] ?? builtInPriorities[name];
    preemptionPolicy = found?.["preemptionPolicy"] ?? preemptionPolicy;
  } else {
    const one = defaultPriorityClass(store);
    if (one !== undefined) {
      className = one.metadata.name;
      priority = one["value"];
      preemptionPolicy = one["preemptionPolicy"] ?? preemptionPolicy;
    }
  }
  if (spec["preemptionPolicy"] !== undefined && spec["preemptionPolicy"] !== preemptionPolicy) {
    throw refused(
      pod,
      server,
      `the string value of PreemptionPolicy (${String(spec["preemptionPolicy"])}) must not be provided in pod spec; priority admission controller computed ${String(preemptionPolicy)} from the given PriorityClass name`,
    );
  }
  if (spec["priority"] !== undefined && spec["priority"] !== priority) {
    throw refused(
      pod,
      server,
      `the integer value of priority (${String(spec["priority"])}) must not be provided in pod spec; priority admission controller computed ${String(priority)} from the given PriorityClass name`,
    );
  }
  return withSpec(pod, {
    priority,
    preemptionPolicy,
    ...(className === undefined ? {} : { priorityClassName: className }),
  });
}

/** Keeps the priority of a pod on update. */
export function keepPriority(pod: ApiObject, before: ApiObject): ApiObject {
  const spec = specOf(pod);
  const then = specOf(before);
  const kept = ["priority", "preemptionPolicy"].filter(
    (key) => spec[key] === undefined && then[key] !== undefined,
  );
  return kept.length === 0
    ? pod
    : withSpec(pod, Object.fromEntries(kept.map((key) => [key, then[key]])));
}

function refused(pod: ApiObject, { registry }: ServerContext, why: string): StatusError {
  const resource = registry.find("", "v1", "pods") ?? { group: "", plural: "pods" };
  return forbidden(resource, pod.metadata.name ?? "", why);
}
/** Returns the default PriorityClass: of several, which only old or concurrent writes can make, the lowest one. */
export function defaultPriorityClass(store: Pick<Store, "collection">): ApiObject | undefined {
  const classes = store.collection(storage);
  let lowest: ApiObject | undefined;
  for (const [, one] of classes.size === 0 ? [] : classes.entries("")) {
    if (one["globalDefault"] === true && !(priorityOf(lowest) <= priorityOf(one))) {
      lowest = one;
    }
  }
  return lowest;
}

function priorityOf(one: ApiObject | undefined): number {
  return Number(one?.["value"] ?? Number.NaN);
}

/** @throws {StatusError} 403 for a PriorityClass that would be the second default. */
export function assertOneDefault({ server, request }: Write, object: ApiObject): void {
  if (request.resource.storage !== storage || object["globalDefault"] !== true) {
    return;
  }
  const known = defaultPriorityClass(server.store)?.metadata.name;
  const name = object.metadata.name ?? "";
  if (known !== undefined && known !== name) {
    throw forbidden(
      request.resource,
      name,
      `PriorityClass ${known} is already marked as default. Only one default can exist`,
    );
  }
}
