import type { ApiObject } from "../objects/api-object.js";
import type { JsonObject } from "../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../objects/parts.js";
import { count, one, type ResourceList, readResourceList, sum } from "../objects/resource-list.js";
import { podResourcesWithOverhead } from "./pod-resources.js";
import { claimScope, podScope, type ScopeRule } from "./quota-scopes.js";

/** Quota accounting for objects of one kind. */
export interface QuotaKind {
  /** Returns whether a resource name in a quota counts objects of the kind. */
  counts(name: string): boolean;
  /** Returns the usage of one object. */
  usage(object: ApiObject, nowMs: number): ResourceList;
  /** Evaluates scopes; absent when objects of the kind are in no scope. */
  readonly scope?: ScopeRule;
  /** Returns the quota names for which the object must specify values but does not, with the containers that lack them. */
  missing?(object: ApiObject, names: readonly string[]): ReadonlyMap<string, readonly string[]>;
}

const compute = ["cpu", "memory", "ephemeral-storage"];
const podNames = new Set([
  "count/pods",
  "pods",
  ...compute.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);
/** Resources that every container must specify when a quota limits them. */
const demanded = ["cpu", "memory"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]);
const claimNames = ["persistentvolumeclaims", "requests.storage"];
const ofClass = ".storageclass.storage.k8s.io/";
const serviceNames = new Set([
  "count/services",
  "services",
  "services.loadbalancers",
  "services.nodeports",
]);
/** Resource names from before the `count/` syntax. */
const aliased = new Set(["configmaps", "replicationcontrollers", "resourcequotas", "secrets"]);
/** Kinds that quotas don't count. */
const ignored = new Set(["events"]);

/** Returns the quota accounting of a storage; `undefined` for kinds that are not counted. */
export function quotaKindOf(storage: string): QuotaKind | undefined {
  return ignored.has(storage) ? undefined : (special[storage] ?? plainKind(storage));
}

/** Returns the storage that a resource name in a quota counts. */
export function storageOfName(name: string): string | undefined {
  const named = ["pods", "services", "persistentvolumeclaims"].find((storage) =>
    special[storage]?.counts(name),
  );
  return named ?? (aliased.has(name) ? name : /^count\/(.+)$/.exec(name)?.[1]);
}

function plainKind(storage: string): QuotaKind {
  const names = [`count/${storage}`, ...(aliased.has(storage) ? [storage] : [])];
  const usage = new Map(names.map((name) => [name, one]));
  return { counts: (name) => names.includes(name), usage: () => usage };
}

const special: Readonly<Record<string, QuotaKind>> = {
  pods: {
    counts: (name) =>
      podNames.has(name) ||
      /^(requests\.)?hugepages-/.test(name) ||
      (name.startsWith("requests.") && isExtended(name)),
    usage: (pod, nowMs) => {
      const spec = specOf(pod);
      return isOver(pod, nowMs)
        ? new Map([["count/pods", one]])
        : new Map([
            ["count/pods", one],
            ...usedBy(
              podResourcesWithOverhead(spec, "requests"),
              podResourcesWithOverhead(spec, "limits"),
            ),
          ]);
    },
    scope: podScope,
    missing: missingOfContainers,
  },
  services: { counts: (name) => serviceNames.has(name), usage: usedByService },
  persistentvolumeclaims: {
    counts: (name) =>
      name === "count/persistentvolumeclaims" ||
      claimNames.some((one) => name === one || name.endsWith(ofClass + one)),
    usage: usedByClaim,
    scope: claimScope,
  },
};

/** Returns whether a pod has finished, or its grace period has expired. */
export function isOver(pod: ApiObject, nowMs: number): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  const { phase } = mapOf(pod["status"]);
  return (
    phase === "Failed" ||
    phase === "Succeeded" ||
    (deletionTimestamp !== undefined &&
      deletionGracePeriodSeconds !== undefined &&
      nowMs > Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1_000)
  );
}

/** Maps requests and limits to the resource names of quotas. */
function usedBy(requests: ResourceList, limits: ResourceList): ResourceList {
  return new Map([
    ["pods", one],
    ...[...requests].flatMap(([name, amount]) =>
      compute.includes(name) || name.startsWith("hugepages-")
        ? ([
            [name, amount],
            [`requests.${name}`, amount],
          ] as const)
        : isExtended(name)
          ? [[`requests.${name}`, amount] as const]
          : [],
    ),
    ...[...limits].flatMap(([name, amount]) =>
      compute.includes(name) ? [[`limits.${name}`, amount] as const] : [],
    ),
  ]);
}

/** Returns whether a name is an extended resource: one with a domain outside `kubernetes.io`. */
function isExtended(name: string): boolean {
  return name.includes("/") && !name.includes("kubernetes.io/");
}

function missingOfContainers(
  pod: ApiObject,
  names: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const spec = specOf(pod);
  const containers = [...objectsOf(spec["containers"]), ...objectsOf(spec["initContainers"])];
  const missing = new Map<string, string[]>();
  for (const name of names.filter((one) => demanded.includes(one)).sort()) {
    const lacking = containers
      .filter(({ resources }) => {
        const { requests, limits } = mapOf(resources);
        return !usedBy(readResourceList(requests), readResourceList(limits)).has(name);
      })
      .map((container) => String(container["name"]));
    if (lacking.length > 0) {
      missing.set(name, [...new Set(lacking)].sort());
    }
  }
  return missing;
}

function usedByService(service: ApiObject): ResourceList {
  const spec = specOf(service);
  const ports = objectsOf(spec["ports"]);
  const isBalanced = spec["type"] === "LoadBalancer";
  const counted =
    isBalanced && spec["allocateLoadBalancerNodePorts"] === false
      ? ports.filter(({ nodePort = 0 }) => nodePort !== 0)
      : isBalanced || spec["type"] === "NodePort"
        ? ports
        : [];
  return new Map([
    ["count/services", one],
    ["services", one],
    ["services.loadbalancers", count(isBalanced ? 1 : 0)],
    ["services.nodeports", count(counted.length)],
  ]);
}

function usedByClaim(claim: ApiObject): ResourceList {
  const named = claim.metadata.annotations?.["volume.beta.kubernetes.io/storage-class"];
  const className = String(named ?? specOf(claim)["storageClassName"] ?? "");
  const amount = storageOf(claim);
  const used: ResourceList = new Map([
    ["persistentvolumeclaims", one],
    ...(amount === undefined ? [] : [["requests.storage", amount] as const]),
  ]);
  const ofItsClass = [...used].map(([name, much]) => [className + ofClass + name, much] as const);
  return sum(
    new Map([["count/persistentvolumeclaims", one], ...used]),
    new Map(className === "" ? [] : ofItsClass),
  );
}

/** Returns the storage of a claim in whole bytes, rounded up: the larger of its request and its allocation. */
function storageOf(claim: ApiObject) {
  const requested = amountOf(mapOf(specOf(claim)["resources"])["requests"]);
  const allocated = amountOf(mapOf(claim["status"])["allocatedResources"]);
  const most =
    requested !== undefined && allocated !== undefined && allocated.nanos > requested.nanos
      ? allocated
      : requested;
  if (most === undefined) {
    return undefined;
  }
  const bytes = (most.nanos + one.nanos - 1n) / one.nanos;
  return { family: most.family, nanos: bytes * one.nanos };
}

function amountOf(amounts: unknown) {
  return readResourceList({ storage: (amounts as JsonObject | undefined)?.["storage"] }).get(
    "storage",
  );
}
