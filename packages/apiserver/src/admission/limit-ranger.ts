import type { Quantity } from "@typekube/core/quantity";
import { formatQuantity } from "@typekube/core/quantity";
import type { ApiObject } from "../objects/api-object.js";
import type { JsonObject } from "../objects/json-value.js";
import { mapOf, objectsOf, specOf, withSpec } from "../objects/parts.js";
import { type ResourceList, readResourceList } from "../objects/resource-list.js";
import { type Bound, podResources } from "./pod-resources.js";

/** Annotation that lists the defaults set on a pod. */
const annotation = "kubernetes.io/limit-ranger";
const milli = 1_000_000n;

/** Fills in the LimitRange defaults of containers that omit requests or limits. */
export function withLimitDefaults(pod: ApiObject, ranges: readonly ApiObject[]): ApiObject {
  return ranges.reduce(withDefaultsOf, pod);
}

function withDefaultsOf(pod: ApiObject, range: ApiObject): ApiObject {
  const limits = limitsOf(range, "Container");
  const defaults: Record<Bound, JsonObject> = {
    requests: Object.assign({}, ...limits.map((limit) => mapOf(limit["defaultRequest"]))),
    limits: Object.assign({}, ...limits.map((limit) => mapOf(limit["default"]))),
  };
  const received: string[] = [];
  const fill = (containers: unknown, word: string) =>
    objectsOf(containers).map((container) => {
      const resources = mapOf(container["resources"]);
      const filled: JsonObject = {};
      for (const [bound, singular] of [
        ["requests", "request"],
        ["limits", "limit"],
      ] as const) {
        const given = mapOf(resources[bound]);
        const missing = Object.keys(defaults[bound]).filter((name) => !Object.hasOwn(given, name));
        if (missing.length > 0) {
          filled[bound] = byName({ ...defaults[bound], ...given });
          received.push(
            `${missing.sort().join(", ")} ${singular} for ${word} ${String(container["name"] ?? "")}`,
          );
        }
      }
      return { ...container, resources: { ...resources, ...filled } };
    });
  const spec = specOf(pod);
  const containers = fill(spec["containers"], "container");
  const initContainers = fill(spec["initContainers"], "init container");
  if (received.length === 0) {
    return pod;
  }
  const { annotations } = pod.metadata;
  const said = `LimitRanger plugin set: ${received.join("; ")}`;
  const metadata = { ...pod.metadata, annotations: { ...annotations, [annotation]: said } };
  return withSpec(
    { ...pod, metadata },
    { containers, ...(initContainers.length > 0 ? { initContainers } : {}) },
  );
}

function byName(amounts: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(amounts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the violations of a LimitRange by the containers of a pod and by the pod as a whole. */
export function podLimitProblems(pod: ApiObject, range: ApiObject): string[] {
  const spec = specOf(pod);
  const containers = [...objectsOf(spec["containers"]), ...objectsOf(spec["initContainers"])];
  return limitsOf(range).flatMap((limit) => {
    switch (limit["type"]) {
      case "Container":
        return containers.flatMap((container) => {
          const { requests, limits } = mapOf(container["resources"]);
          return problems(limit, readResourceList(requests), readResourceList(limits));
        });
      case "Pod":
        return problems(limit, podResources(spec, "requests"), podResources(spec, "limits"));
      default:
        return [];
    }
  });
}

/** Returns the violations of a LimitRange by the storage request of a claim. */
export function claimLimitProblems(claim: ApiObject, range: ApiObject): string[] {
  const requests = readResourceList(mapOf(specOf(claim)["resources"])["requests"]);
  return limitsOf(range, "PersistentVolumeClaim").flatMap((limit) => [
    ...each(limit, "min", minimum(requests, new Map())),
    ...each(limit, "max", maximumRequest(requests)),
  ]);
}

function limitsOf(range: ApiObject, type?: string): JsonObject[] {
  const limits = objectsOf(specOf(range)["limits"]);
  return type === undefined ? limits : limits.filter((limit) => limit["type"] === type);
}

/**
 * Returns the violation of one bound, if any. `type` is the kind of thing that is limited: `cpu usage per Container is
 * 1`.
 */
type Constraint = (name: string, bound: Quantity, type: string) => string | undefined;

function problems(limit: JsonObject, requests: ResourceList, limits: ResourceList): string[] {
  return [
    ...each(limit, "min", minimum(requests, limits)),
    ...each(limit, "max", maximum(requests, limits)),
    ...each(limit, "maxLimitRequestRatio", ratio(requests, limits)),
  ];
}

function each(limit: JsonObject, key: string, constraint: Constraint): string[] {
  const type = String(limit["type"]);
  return [...readResourceList(limit[key])]
    .map(([name, bound]) => constraint(name, bound, type))
    .filter((problem) => problem !== undefined);
}

function minimum(requests: ResourceList, limits: ResourceList): Constraint {
  return (name, bound, type) => {
    const [request, limit] = [requests.get(name), limits.get(name)];
    const rule = `minimum ${name} usage per ${type} is ${formatQuantity(bound)}`;
    if (request === undefined) {
      return `${rule}.  No request is specified`;
    }
    return (
      compared(rule, "request", request.nanos < bound.nanos, request) ??
      compared(rule, "limit", limit !== undefined && limit.nanos < bound.nanos, limit)
    );
  };
}

function maximum(requests: ResourceList, limits: ResourceList): Constraint {
  return (name, bound, type) => {
    const [request, limit] = [requests.get(name), limits.get(name)];
    const rule = `maximum ${name} usage per ${type} is ${formatQuantity(bound)}`;
    if (limit === undefined) {
      return `${rule}.  No limit is specified`;
    }
    return (
      compared(rule, "limit", limit.nanos > bound.nanos, limit) ??
      compared(rule, "request", request !== undefined && request.nanos > bound.nanos, request)
    );
  };
}

/** Checks a maximum against requests only: limits of claims are ignored. */
function maximumRequest(requests: ResourceList): Constraint {
  return (name, bound, type) => {
    const request = requests.get(name);
    const rule = `maximum ${name} usage per ${type} is ${formatQuantity(bound)}`;
    return request === undefined
      ? `${rule}.  No request is specified`
      : compared(rule, "request", request.nanos > bound.nanos, request);
  };
}

function compared(
  rule: string,
  word: string,
  isWrong: boolean,
  amount: Quantity | undefined,
): string | undefined {
  return isWrong && amount !== undefined
    ? `${rule}, but ${word} is ${formatQuantity(amount)}`
    : undefined;
}

function ratio(requests: ResourceList, limits: ResourceList): Constraint {
  return (name, bound, type) => {
    const rule = `${name} max limit to request ratio per ${type} is ${formatQuantity(bound)}`;
    const [request, limit] = [inMilli(requests.get(name)), inMilli(limits.get(name))];
    if (request === 0) {
      return `${rule}, but no request is specified or request is 0`;
    }
    if (limit === 0) {
      return `${rule}, but no limit is specified or limit is 0`;
    }
    const found = limit / request;
    return found * 1_000 > inMilli(bound)
      ? `${rule}, but provided ratio is ${found.toFixed(6)}`
      : undefined;
  };
}

/** Returns thousandths, rounded up: the precision with which real servers compare. */
function inMilli(quantity: Quantity | undefined): number {
  return quantity === undefined ? 0 : Number((quantity.nanos + milli - 1n) / milli);
}
