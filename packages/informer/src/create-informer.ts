import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import type { PartialObjectMetadata } from "@typekube/api/meta/v1";
import type { ClientCore, KindOf, ObjectOf } from "@typekube/client";
import type { KindReference, View } from "@typekube/client/internal";
import { newCache, sharedCache } from "./cache/shared-caches.js";
import { Informer } from "./informer.js";
import type { InformerIndexes, InformerOptions } from "./informer-options.js";
import { assertWatching } from "./known-options.js";
import { ownOptions } from "./own-options.js";
import type { Shard } from "./shard/shard.js";

type MetadataIndexes = InformerIndexes<PartialObjectMetadata>;

/** Options of an informer that caches only the metadata of objects. */
export interface MetadataInformerOptions<I extends MetadataIndexes = MetadataIndexes>
  extends InformerOptions<PartialObjectMetadata, I, "metadata"> {
  readonly view: "metadata";
}

type AnyOptions = InformerOptions<KubeObject, InformerIndexes<KubeObject>, View>;

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
export function createInformer<const I extends MetadataIndexes>(
  client: ClientCore,
  type: KindReference,
  options: MetadataInformerOptions<I>,
): Informer<PartialObjectMetadata, I>;
export function createInformer<T extends KubeObject, const I extends InformerIndexes<T>>(
  client: ClientCore,
  type: ResourceDescriptor<T>,
  options?: InformerOptions<T, I>,
): Informer<T, I>;
export function createInformer<
  D extends ResourceDescriptor,
  const I extends InformerIndexes<ObjectOf<D>>,
>(
  client: ClientCore,
  oneOfSeveral: D,
  options?: InformerOptions<ObjectOf<D>, I>,
): Informer<ObjectOf<D>, I>;
export function createInformer<
  const R extends KindReference,
  const I extends InformerIndexes<KindOf<R>>,
>(
  client: ClientCore,
  type: R & { readonly plural?: never },
  options?: InformerOptions<KindOf<R>, I>,
): Informer<KindOf<R>, I>;
export function createInformer(
  client: ClientCore,
  type: KindReference | ResourceDescriptor,
  options: AnyOptions | MetadataInformerOptions = {},
): unknown {
  assertWatching("an informer", type, options);
  const cacheOf = options.shared === false ? newCache : sharedCache;
  // The view decides which objects arrive, as the overloads promise.
  const known = ownOptions(options as AnyOptions);
  const cacheFor = (shard: Shard | undefined, notOlderThan?: string) =>
    cacheOf(client, type, { ...known, shard }, notOlderThan);
  return new Informer(cacheFor(known.shard), known, cacheFor);
}
