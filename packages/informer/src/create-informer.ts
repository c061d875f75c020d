import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import type { PartialObjectMetadata } from "@typekube/api/meta/v1";
import type { ClientCore, KindReference, UnknownKind } from "@typekube/client";
import type { View } from "@typekube/client/internal";
import { withoutCallScope } from "@typekube/core/internal";
import { newCache, sharedCache } from "./cache/shared-caches.js";
import { Informer } from "./informer.js";
import { assertWatching } from "./options/assert-watching.js";
import { checkFields } from "./options/check-fields.js";
import type { InformerIndexes, InformerOptions } from "./options/informer-options.js";
import { ownOptions } from "./options/own-options.js";
import type { ProjectionOptions } from "./options/projection-options.js";
import type { Shard } from "./shard/shard.js";

type MetadataIndexes = InformerIndexes<PartialObjectMetadata>;

/** Options of an informer that caches only the metadata of objects. */
export interface MetadataInformerOptions<I extends MetadataIndexes = MetadataIndexes>
  extends InformerOptions<PartialObjectMetadata, I, "metadata"> {
  readonly view: "metadata";
}

/**
 * Creates and starts an informer. It shares its watch and cache with the informers of this client on the same kind with
 * the same options. If the server does not serve the kind (yet), the informer retries until it does.
 *
 * @example
 * ```ts
 * await using pods = createInformer(client, Pod, { indexes: { node: (pod) => [pod.spec?.nodeName ?? ""] } });
 * await pods.synced();
 * pods.by.node("node-1");
 * ```
 */
export function createInformer<
  T extends KubeObject = UnknownKind,
  const I extends InformerIndexes<T> = InformerIndexes<T>,
>(
  client: ClientCore,
  type: KindReference | ResourceDescriptor<T>,
  options: InformerOptions<T, I, View> & ProjectionOptions = {},
): Informer<T, I> {
  assertWatching("an informer", type, options);
  const cacheOf = options.shared === false ? newCache : sharedCache;
  // The view decides which objects arrive.
  const known = ownOptions(options);
  const cacheFor = (shard: Shard | undefined, notOlderThan?: string) =>
    cacheOf(client, type, { ...known, shard }, notOlderThan);
  // A cache outlives the code that starts it.
  return withoutCallScope(() => {
    const informer = new Informer<T, I>(cacheFor(known.shard), known, cacheFor);
    checkFields(type, known, (error) => informer.fail(error));
    return informer;
  });
}
