import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import type { ClientDefaults, KindReference } from "@typekube/client";
import { formatFieldSelector, formatLabelSelector } from "@typekube/core";
import type { CacheOptions } from "../options/informer-options.js";
import { indexesOf } from "../shard/shard.js";

/** Numbers of functions and objects, which are compared by identity. */
const identities = new WeakMap<object, number>();
let lastIdentity = 0;

function identity(value: object | undefined): number {
  if (value === undefined) {
    return 0;
  }
  let known = identities.get(value);
  if (known === undefined) {
    known = ++lastIdentity;
    identities.set(value, known);
  }
  return known;
}

/**
 * Returns the key that decides whether two informers of one connection can share a watch. Informers with equal keys see
 * the same objects in the same shape and cache them in the same way.
 */
export function cacheKey<T extends KubeObject>(
  type: KindReference | ResourceDescriptor,
  options: CacheOptions<T>,
  defaults: ClientDefaults,
): string {
  const { labelSelector, fieldSelector, shard, backoff = {} } = options;
  const parts = [
    type.apiVersion,
    type.kind,
    // A custom descriptor may point to another resource than the kind's usual one.
    "plural" in type ? [type.plural, type.scope] : 0,
    options.namespace ?? 0,
    options.view ?? "full",
    labelSelector ? formatLabelSelector(labelSelector) : "",
    fieldSelector ? formatFieldSelector(fieldSelector) : "",
    options.shardSelector ?? "",
    shard ? [indexesOf(shard), shard.count, shard.by ?? "uid"] : 0,
    options.managedFields ?? false,
    options.shareEqual ?? options.transform === undefined,
    options.encoding ?? defaults.encoding ?? "auto",
    options.streamingList ?? true,
    options.pageSize ?? 0,
    options.poll?.everyMs ?? 0,
    [backoff.initialMs, backoff.maxMs, backoff.factor, backoff.jitter, backoff.resetAfterMs],
    [options.minWatchMs, options.initialEventsDeadlineMs, options.idleMs],
    options.internalErrorWindowMs ?? 0,
    options.freeze ?? false,
    identity(options.transform),
    identity(options.random),
    identity(defaults.limits),
    identity(defaults.onWarning),
    identity(defaults.redactErrors),
    defaults.timeoutMs ?? 0,
  ];
  // JSON writes both undefined (not set) and Infinity (never) as null.
  return JSON.stringify(parts, (_, value: unknown) =>
    typeof value === "number" ? String(value) : value,
  );
}
