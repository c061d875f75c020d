import type { ResourceDescriptor } from "@typekube/api";
import type { ClientCore, KindReference } from "@typekube/client";
import { contextOf, readerOf, resourcePath, type View } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import type { Shard } from "../shard/shard.js";
import { projectedSource } from "./projected-source.js";
import { rediscovering } from "./rediscovering.js";
import { shardedSource } from "./sharded-source.js";
import { streamingListsOf } from "./streaming-lists.js";
import type { WatchSource } from "./watch-source.js";

/** Options that choose the objects of a kind. */
export interface SourceOptions {
  readonly namespace?: string | undefined;
  readonly view?: View | undefined;
  readonly shard?: Shard | undefined;
  readonly shardSelector?: string | undefined;
  readonly poll?: object | undefined;
  readonly fields?: readonly string[] | undefined;
  /** `true` when the caller checks the paths of `fields`. Default false: each request does. */
  readonly hasCheckedFields?: boolean | undefined;
}

/**
 * Returns the source that lists and watches a kind: a built-in kind by its descriptor, any other by discovery.
 *
 * @throws {KubeError} `InvalidArgument` for a resource that is known to lack the needed verbs.
 */
export function sourceOf(
  client: ClientCore,
  type: KindReference | ResourceDescriptor,
  { namespace, view, shard, shardSelector, poll, fields, hasCheckedFields }: SourceOptions,
): WatchSource {
  const isPolled = poll !== undefined;
  assertFollowable(type, isPolled);
  assertNamespace(type, namespace);
  const reader = readerOf(client, type, { namespace, view });
  const resource = "plural" in type ? type.plural : type.kind;
  const subject = { apiVersion: type.apiVersion, resource, namespace };
  const { lifetime, memory, defaults } = contextOf(client);
  const source: WatchSource = {
    subject,
    closed: lifetime.signal,
    encoding: defaults.encoding,
    streamingLists: streamingListsOf(memory, subject),
    descriptor: async (options) => {
      const found = await reader.descriptor(options);
      // For a kind that is not built in, only discovery knows the verbs.
      assertFollowable(found, isPolled);
      return found;
    },
    listParts: (...request) => reader.listParts(...request),
    watchBatches: (...request) => reader.watchBatches(...request),
  };
  if (shard !== undefined && shardSelector !== undefined) {
    throw new KubeError("InvalidArgument", "shard and shardSelector cannot be combined");
  }
  const projected =
    fields === undefined ? source : projectedSource(source, () => fields, hasCheckedFields);
  const part = shard === undefined ? projected : shardedSource(projected, shard);
  return "plural" in type ? part : rediscovering(part, contextOf(client).discovery);
}

/**
 * Rejects an invalid namespace, and a namespace of a cluster-wide kind. The server would reject each request,
 * indefinitely.
 */
function assertNamespace(
  type: KindReference | ResourceDescriptor,
  namespace: string | undefined,
): void {
  // For a kind that is not built in, only discovery knows the path; the rules for a namespace are the same everywhere.
  const somewhere = { group: "", version: "v1", plural: "objects", scope: "Namespaced" } as const;
  resourcePath("plural" in type ? type : (somewhere as unknown as ResourceDescriptor), {
    namespace,
  });
}

/**
 * Rejects resources that can't be listed and watched: reviews, ComponentStatus, metrics. The server would reject each
 * request, indefinitely.
 */
function assertFollowable(type: KindReference | ResourceDescriptor, isPolled: boolean): void {
  const verbs: readonly string[] | undefined = "verbs" in type ? type.verbs : undefined;
  const needed = isPolled ? ["list"] : ["list", "watch"];
  const missing = needed.find((verb) => verbs?.includes(verb) === false);
  if (missing === undefined) {
    return;
  }
  throw new KubeError(
    "InvalidArgument",
    `objects of kind ${type.kind} in ${type.apiVersion} have no verb ${missing}`,
    {
      hint:
        missing === "watch"
          ? "set poll: { everyMs: 30_000 } to list them periodically instead"
          : "an informer or a watch needs the verb list",
    },
  );
}
