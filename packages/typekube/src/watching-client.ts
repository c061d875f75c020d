import type { KubeObject, Live, ResourceDescriptor } from "@typekube/api";
import type { PartialObjectMetadata } from "@typekube/api/meta/v1";
import {
  ClientCore,
  type FieldsOption,
  type KindOf,
  type KindReference,
  type ObjectAt,
  type ObjectEvent,
  type ObjectOf,
  type Projected,
  type Whole,
} from "@typekube/client";
import {
  type Change,
  createInformer,
  type FollowEvent,
  type FollowOptions,
  follow,
  type Informer,
  type InformerIndexes,
  type InformerOptions,
  type MetadataInformerOptions,
  type ObjectCondition,
  type UnchangedOption,
  type UntilCondition,
  type UntilOptions,
  until,
  type WaitForOptions,
  type WatchFromOptions,
  waitFor,
  watchFrom,
} from "@typekube/informer";

/** The part of a client that follows collections: informers, watches and waits. */
export class WatchingClient extends ClientCore {
  /**
   * Starts a cache of a collection that keeps itself up to date. Informers of the same collection with the same options
   * share one watch; each has its own handlers, indexes, `synced()` and `close()`. `view: "metadata"` caches the
   * metadata only, and `fields` caches some fields only.
   *
   * @example
   * ```ts
   * await using pods = client.informer(Pod, { namespace: "prod", indexes: { node: (pod) => [pod.spec?.nodeName ?? ""] } });
   * await pods.synced();
   * ```
   */
  informer<const I extends InformerIndexes<PartialObjectMetadata>>(
    type: KindReference,
    options: MetadataInformerOptions<I>,
  ): Informer<PartialObjectMetadata, I>;
  informer<
    const R extends KindReference,
    const P extends string,
    const I extends InformerIndexes<Projected<ObjectAt<R>, P>>,
  >(
    type: R,
    options: InformerOptions<Projected<ObjectAt<R>, P>, I> &
      FieldsOption<ObjectAt<R>, P> &
      UnchangedOption,
  ): Informer<Projected<ObjectAt<R>, P>, I>;
  informer<T extends KubeObject, const I extends InformerIndexes<T>>(
    descriptor: ResourceDescriptor<T>,
    options?: InformerOptions<T, I> & Whole,
  ): Informer<T, I>;
  informer<D extends ResourceDescriptor, const I extends InformerIndexes<ObjectOf<D>>>(
    oneOfSeveral: D,
    options?: InformerOptions<ObjectOf<D>, I> & Whole,
  ): Informer<ObjectOf<D>, I>;
  informer<const R extends KindReference, const I extends InformerIndexes<KindOf<R>>>(
    reference: R & { readonly plural?: never },
    options?: InformerOptions<KindOf<R>, I> & Whole,
  ): Informer<KindOf<R>, I>;
  informer(
    type: ResourceDescriptor,
    options?: InformerOptions<KubeObject> | MetadataInformerOptions,
  ): unknown {
    return createInformer(this, type, options as InformerOptions<KubeObject, never>);
  }

  /** Yields everything that happens to a collection, indefinitely: see `FollowEvent`. */
  follow(
    type: KindReference,
    options: FollowOptions<"metadata"> & { readonly view: "metadata" },
  ): AsyncIterable<FollowEvent<PartialObjectMetadata>>;
  follow<const R extends KindReference, const P extends string>(
    type: R,
    options: FollowOptions & FieldsOption<ObjectAt<R>, P>,
  ): AsyncIterable<FollowEvent<Projected<ObjectAt<R>, P>>>;
  follow<T extends KubeObject>(
    descriptor: ResourceDescriptor<T>,
    options?: FollowOptions & Whole,
  ): AsyncIterable<FollowEvent<T>>;
  follow<D extends ResourceDescriptor>(
    oneOfSeveral: D,
    options?: FollowOptions & Whole,
  ): AsyncIterable<FollowEvent<ObjectOf<D>>>;
  follow<const R extends KindReference>(
    reference: R & { readonly plural?: never },
    options?: FollowOptions & Whole,
  ): AsyncIterable<FollowEvent<KindOf<R>>>;
  follow(type: ResourceDescriptor, options?: FollowOptions | FollowOptions<"metadata">): unknown {
    return follow(this, type, options as FollowOptions);
  }

  /**
   * Yields every change after a resourceVersion, each once and in order, over as many watches as needed. Never lists.
   * See `watchFrom`.
   */
  watchFrom<const R extends KindReference, const P extends string>(
    type: R,
    options: WatchFromOptions & FieldsOption<ObjectAt<R>, P>,
  ): AsyncIterable<ObjectEvent<Projected<ObjectAt<R>, P>>>;
  watchFrom<T extends KubeObject>(
    descriptor: ResourceDescriptor<T>,
    options: WatchFromOptions & Whole,
  ): AsyncIterable<ObjectEvent<T>>;
  watchFrom<D extends ResourceDescriptor>(
    oneOfSeveral: D,
    options: WatchFromOptions & Whole,
  ): AsyncIterable<ObjectEvent<ObjectOf<D>>>;
  watchFrom<const R extends KindReference>(
    reference: R & { readonly plural?: never },
    options: WatchFromOptions & Whole,
  ): AsyncIterable<ObjectEvent<KindOf<R>>>;
  watchFrom(type: ResourceDescriptor, options: WatchFromOptions): unknown {
    return watchFrom(this, type, options);
  }

  /**
   * Waits until an object meets a condition, now or later.
   *
   * @example
   * ```ts
   * await client.waitFor(Pod, "web-0", (pod) => pod?.status?.phase === "Running", { namespace: "prod", timeoutMs: 60_000 });
   * ```
   */
  waitFor<const R extends KindReference, const P extends string>(
    type: R,
    name: string,
    condition: ObjectCondition<Projected<ObjectAt<R>, P>>,
    options: WaitForOptions & FieldsOption<ObjectAt<R>, P>,
  ): Promise<Live<Projected<ObjectAt<R>, P>> | undefined>;
  waitFor<T extends KubeObject>(
    descriptor: ResourceDescriptor<T>,
    name: string,
    condition: ObjectCondition<T>,
    options?: WaitForOptions & Whole,
  ): Promise<Live<T> | undefined>;
  waitFor<D extends ResourceDescriptor>(
    oneOfSeveral: D,
    name: string,
    condition: ObjectCondition<ObjectOf<D>>,
    options?: WaitForOptions & Whole,
  ): Promise<Live<ObjectOf<D>> | undefined>;
  waitFor<const R extends KindReference>(
    reference: R & { readonly plural?: never },
    name: string,
    condition: ObjectCondition<KindOf<R>>,
    options?: WaitForOptions & Whole,
  ): Promise<Live<KindOf<R>> | undefined>;
  waitFor(
    type: ResourceDescriptor,
    name: string,
    condition: ObjectCondition<KubeObject>,
    options?: WaitForOptions,
  ): Promise<unknown> {
    return waitFor(this, type, name, condition, options);
  }

  /** Waits until changes of a collection have met each condition in turn. See `until`. */
  until<const R extends KindReference, const P extends string>(
    type: R,
    conditions:
      | UntilCondition<Projected<ObjectAt<R>, P>>
      | readonly UntilCondition<Projected<ObjectAt<R>, P>>[],
    options: UntilOptions<Projected<ObjectAt<R>, P>> & FieldsOption<ObjectAt<R>, P>,
  ): Promise<Change<Projected<ObjectAt<R>, P>> | undefined>;
  until<T extends KubeObject>(
    descriptor: ResourceDescriptor<T>,
    conditions: UntilCondition<T> | readonly UntilCondition<T>[],
    options?: UntilOptions<T> & Whole,
  ): Promise<Change<T> | undefined>;
  until<D extends ResourceDescriptor>(
    oneOfSeveral: D,
    conditions: UntilCondition<ObjectOf<D>> | readonly UntilCondition<ObjectOf<D>>[],
    options?: UntilOptions<ObjectOf<D>> & Whole,
  ): Promise<Change<ObjectOf<D>> | undefined>;
  until<const R extends KindReference>(
    reference: R & { readonly plural?: never },
    conditions: UntilCondition<KindOf<R>> | readonly UntilCondition<KindOf<R>>[],
    options?: UntilOptions<KindOf<R>> & Whole,
  ): Promise<Change<KindOf<R>> | undefined>;
  until(
    type: ResourceDescriptor,
    conditions: UntilCondition<KubeObject> | readonly UntilCondition<KubeObject>[],
    options?: UntilOptions,
  ): Promise<unknown> {
    return until(this, type, conditions, options);
  }
}
