import type { ResourceDescriptor } from "@typekube/api";
import type { KindReference } from "@typekube/client";
import { assertIsOptions, assertNamespaceOption, assertResource } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import { assertKnownOptions, type OptionNames } from "@typekube/core/internal";
import { assertAmount, assertFunction, assertOptionValues } from "./assert-option-values.js";
import type { FollowOptions } from "./follow-options.js";
import type { HandlerOptions } from "./handler-options.js";
import type { CacheListOptions, InformerOptions, WaitOptions } from "./informer-options.js";
import type { UntilOptions } from "./until-options.js";
import type { WatchFromOptions } from "./watch-from-options.js";

type WatchingOptionName =
  | keyof FollowOptions
  | keyof InformerOptions<never>
  | keyof UntilOptions
  | keyof WatchFromOptions;

const ofWatching: OptionNames<WatchingOptionName> = {
  backoff: true,
  encoding: true,
  failAfterMs: true,
  fieldSelector: true,
  freeze: true,
  idleMs: true,
  indexes: true,
  initialEventsDeadlineMs: true,
  internalErrorWindowMs: true,
  labelSelector: true,
  managedFields: true,
  maxBufferedEvents: true,
  maxBufferedObjects: true,
  minWatchMs: true,
  mutationTtlMs: true,
  namespace: true,
  onError: true,
  onProgress: true,
  onRestart: true,
  onState: true,
  pageSize: true,
  poll: true,
  precondition: true,
  random: true,
  resourceVersion: true,
  shard: true,
  shardSelector: true,
  shared: true,
  shareEqual: true,
  signal: true,
  streamingList: true,
  timeoutMs: true,
  transform: true,
  view: true,
};

const ofHandlers: OptionNames<keyof HandlerOptions> = {
  filter: true,
  maxQueued: true,
  resyncMs: true,
};

const ofWaits: OptionNames<keyof WaitOptions> = { signal: true, timeoutMs: true };

const ofLists: OptionNames<keyof CacheListOptions> = { labelSelector: true, namespace: true };

/**
 * Rejects an invalid resource, options that no watching function has, and unusable values. Options of another watching
 * function are accepted: one options object may serve several.
 *
 * @throws {KubeError} `InvalidArgument` that names the option.
 */
export function assertWatching(
  who: string,
  type: KindReference | ResourceDescriptor,
  options: object,
): void {
  assertResource(type);
  assertIsOptions(options);
  assertKnownOptions(who, options, ofWatching);
  assertNamespaceOption(who, options);
  assertOptionValues(options);
}

/**
 * Rejects invalid handler options. With a filter that is not a function the handler would receive nothing.
 *
 * @throws {KubeError} `InvalidArgument` that names the option.
 */
export function assertHandlerOptions(options: HandlerOptions<never>): void {
  assertIsOptions(options);
  assertKnownOptions("a handler", options, ofHandlers);
  assertFunction("filter", options.filter);
  assertAmount("maxQueued", options.maxQueued);
  assertAmount("resyncMs", options.resyncMs);
}

/** @throws {KubeError} `InvalidArgument` that names an unknown option: a misspelled timeout would set no limit. */
export function assertWaitOptions(options: WaitOptions): void {
  assertIsOptions(options);
  assertKnownOptions("a wait", options, ofWaits);
}

/**
 * Rejects unknown options of a list of cached objects, and an invalid namespace, which would contain nothing.
 *
 * @throws {KubeError} `InvalidArgument` that names the option.
 */
export function assertCacheListOptions(options: CacheListOptions): void {
  assertIsOptions(options);
  assertKnownOptions("a list of cached objects", options, ofLists);
  assertNamespaceOption("a list of cached objects", options);
  const { namespace } = options;
  if (namespace !== undefined && (typeof namespace !== "string" || namespace === "")) {
    throw new KubeError("InvalidArgument", "namespace: must be a name", {
      hint: "omit namespace to list the objects of all namespaces",
    });
  }
}
