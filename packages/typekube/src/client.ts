import type {
  KubeObject,
  Live,
  ResourceDescriptor,
  SubresourceDescriptors,
  Verb,
} from "@typekube/api";
import type { Pod } from "@typekube/api/core/v1";
import type { PartialObjectMetadata } from "@typekube/api/meta/v1";
import {
  ClientCore,
  type DiscoveredResource,
  type KindOf,
  type KindReference,
  type LogLines,
  type ObjectEvent,
  type ObjectOf,
} from "@typekube/client";
import { LogStream, namespaceArgument } from "@typekube/client/internal";
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
  type UntilCondition,
  type UntilOptions,
  until,
  type WaitForOptions,
  type WatchFromOptions,
  waitFor,
  watchFrom,
} from "@typekube/informer";
import { withWaiting } from "@typekube/informer/internal";
import type { MergedLogEvent, MergedLogLine, MergedLogOptions } from "./logs/merged-log-options.js";
import type { LogWorkload, PodSelection } from "./logs/pod-selection.js";
import type { ContainerSession } from "./one-off/container-session.js";
import type {
  ContainerOutput,
  DebugOptions,
  DebugSessionOptions,
  ImageToRun,
  PodToDebug,
  RunPodOptions,
  RunPodSessionOptions,
  WithSession,
} from "./one-off/one-off-options.js";
import { withPods } from "./pods/with-pods.js";
import type {
  AllNamespacesClient,
  DynamicResourceClient,
  ResourceClient,
} from "./resource-client.js";

/**
 * Namespace argument of the last overload of `resource`. For a cluster-scoped kind it is the message that the compiler
 * prints.
 */
type NamespaceOf<R> = R extends { readonly scope: "Cluster" }
  ? "a cluster-scoped kind has no namespace"
  : never;

/** Arguments after a descriptor: an optional namespace, or none if all of its kinds are cluster-scoped. */
type NamespaceArguments<D extends ResourceDescriptor> = [D["scope"]] extends ["Cluster"]
  ? []
  : OptionalNamespace;

/** An optional namespace; omitted, it means all namespaces. An explicit `undefined` is rejected. */
type OptionalNamespace = readonly [] | readonly [namespace: string];

/** A connection to one API server. Creates the clients of its resources, and informers, watches and waits over them. */
export class Client extends ClientCore {
  /** Returns the client of a cluster-scoped resource. */
  resource<T extends KubeObject, V extends Verb, Sub extends SubresourceDescriptors>(
    descriptor: ResourceDescriptor<T, "Cluster", V, Sub>,
  ): ResourceClient<T, V, Sub>;
  /** Returns the client of a namespaced resource in one namespace. */
  resource<T extends KubeObject, V extends Verb, Sub extends SubresourceDescriptors>(
    descriptor: ResourceDescriptor<T, "Namespaced", V, Sub>,
    namespace: string,
  ): ResourceClient<T, V, Sub>;
  /** Returns the client of a namespaced resource across all namespaces. */
  resource<T extends KubeObject, V extends Verb, Sub extends SubresourceDescriptors>(
    descriptor: ResourceDescriptor<T, "Namespaced", V, Sub>,
  ): AllNamespacesClient<T, V>;
  /** Returns the client of a resource found by discovery. Without a namespace it covers all namespaces. */
  resource(discovered: DiscoveredResource, ...namespace: OptionalNamespace): DynamicResourceClient;
  /**
   * Returns the client of a kind given by apiVersion and kind. Discovery finds the resource on first use. Without a
   * namespace the client covers all namespaces.
   */
  resource<const R extends KindReference>(
    reference: R & { readonly plural?: never },
    ...namespace: OptionalNamespace
  ): DynamicResourceClient<KindOf<R>>;
  /** Returns the client of one of several kinds, or of a kind known only at run time, across all namespaces. */
  resource<D extends ResourceDescriptor>(descriptor: D): DynamicResourceClient<ObjectOf<D>>;
  /**
   * Returns the client of one of several kinds, or of a kind known only at run time. Without a namespace it covers all
   * namespaces.
   */
  resource<D extends ResourceDescriptor>(
    descriptor: D,
    ...namespace: NamespaceArguments<D>
  ): DynamicResourceClient<ObjectOf<D>>;
  /** Never matches. Declared last so that the compiler's error names the invalid namespace. */
  resource<const R extends KindReference>(reference: R, namespace: NamespaceOf<R>): never;
  resource(type: KindReference | ResourceDescriptor, ...namespace: readonly unknown[]): unknown {
    const place = namespaceArgument(namespace);
    return withPods(
      withWaiting(this.operations(type, place), this, type, place),
      this,
      type,
      place,
    );
  }

  /**
   * Starts a cache of a collection that keeps itself up to date. Informers of the same collection with the same options
   * share one watch; each has its own handlers, indexes, `synced()` and `close()`. `view: "metadata"` caches the
   * metadata only.
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
  informer<T extends KubeObject, const I extends InformerIndexes<T>>(
    descriptor: ResourceDescriptor<T>,
    options?: InformerOptions<T, I>,
  ): Informer<T, I>;
  informer<D extends ResourceDescriptor, const I extends InformerIndexes<ObjectOf<D>>>(
    oneOfSeveral: D,
    options?: InformerOptions<ObjectOf<D>, I>,
  ): Informer<ObjectOf<D>, I>;
  informer<const R extends KindReference, const I extends InformerIndexes<KindOf<R>>>(
    reference: R & { readonly plural?: never },
    options?: InformerOptions<KindOf<R>, I>,
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
  follow<T extends KubeObject>(
    descriptor: ResourceDescriptor<T>,
    options?: FollowOptions,
  ): AsyncIterable<FollowEvent<T>>;
  follow<D extends ResourceDescriptor>(
    oneOfSeveral: D,
    options?: FollowOptions,
  ): AsyncIterable<FollowEvent<ObjectOf<D>>>;
  follow<const R extends KindReference>(
    reference: R & { readonly plural?: never },
    options?: FollowOptions,
  ): AsyncIterable<FollowEvent<KindOf<R>>>;
  follow(type: ResourceDescriptor, options?: FollowOptions | FollowOptions<"metadata">): unknown {
    return follow(this, type, options as FollowOptions);
  }

  /**
   * Yields every change after a resourceVersion, each once and in order, over as many watches as needed. Never lists.
   * See `watchFrom`.
   */
  watchFrom<T extends KubeObject>(
    descriptor: ResourceDescriptor<T>,
    options: WatchFromOptions,
  ): AsyncIterable<ObjectEvent<T>>;
  watchFrom<D extends ResourceDescriptor>(
    oneOfSeveral: D,
    options: WatchFromOptions,
  ): AsyncIterable<ObjectEvent<ObjectOf<D>>>;
  watchFrom<const R extends KindReference>(
    reference: R & { readonly plural?: never },
    options: WatchFromOptions,
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
  waitFor<T extends KubeObject>(
    descriptor: ResourceDescriptor<T>,
    name: string,
    condition: ObjectCondition<T>,
    options?: WaitForOptions,
  ): Promise<Live<T> | undefined>;
  waitFor<D extends ResourceDescriptor>(
    oneOfSeveral: D,
    name: string,
    condition: ObjectCondition<ObjectOf<D>>,
    options?: WaitForOptions,
  ): Promise<Live<ObjectOf<D>> | undefined>;
  waitFor<const R extends KindReference>(
    reference: R & { readonly plural?: never },
    name: string,
    condition: ObjectCondition<KindOf<R>>,
    options?: WaitForOptions,
  ): Promise<Live<KindOf<R>> | undefined>;
  waitFor(
    type: ResourceDescriptor,
    name: string,
    condition: ObjectCondition<KubeObject>,
    options?: WaitForOptions,
  ): Promise<unknown> {
    return waitFor(this, type, name, condition, options);
  }

  /** Yields the lines of many logs, and marks between them: a restart, a gap, a log that could not be read. */
  logs(
    of: LogWorkload | PodSelection,
    options: MergedLogOptions & { readonly events: true },
  ): LogLines<MergedLogEvent>;
  /**
   * Yields the lines of all containers of pods: those of a workload such as a Deployment or a Job, or those that selectors
   * choose. With `follow` it goes on with pods that come, containers that restart, and after connections that break;
   * lines that may be missing are a warning. Ending the loop closes all connections.
   *
   * @example
   * ```ts
   * const shop = { namespace: "shop", labelSelector: { app: "web" } };
   * for await (const { pod, text } of client.logs(shop, { follow: true })) console.log(pod, text);
   * ```
   *
   * @throws {KubeError} from the first `next()`: `InvalidArgument`, and the server's refusal to list pods; `Forbidden`
   * when a log may not be read.
   */
  logs(of: LogWorkload | PodSelection, options?: MergedLogOptions): LogLines<MergedLogLine>;
  logs(
    of: LogWorkload | PodSelection,
    options: MergedLogOptions & { readonly events?: boolean | undefined } = {},
  ): unknown {
    return new LogStream(async (signal) => {
      const { mergedLogs } = await import("./logs/merged-logs.js");
      return mergedLogs(this, of, options, signal);
    }, options.signal);
  }

  /**
   * Runs a pod once and returns a session with its container, as `kubectl run --rm -i`. The pod is deleted when the session
   * is closed or has ended.
   */
  runPod(
    pod: ImageToRun | Pod,
    options: RunPodSessionOptions & WithSession,
  ): Promise<ContainerSession>;
  /** Runs a pod once and returns its output as bytes. */
  runPod(
    pod: ImageToRun | Pod,
    options: RunPodOptions & { readonly output: "bytes" },
  ): Promise<ContainerOutput<Buffer>>;
  /**
   * Runs a pod once, deletes it, and returns the exit code and the output of its container. The pod is deleted also when
   * the call fails or is aborted.
   *
   * Without `stdin` the output is the log, with both streams in `stdout`. With `stdin` the container is attached to, and
   * `stdout` begins with what was in the log before.
   *
   * @example
   * ```ts
   * const { exitCode, stdout } = await client.runPod({ image: "busybox" }, { command: ["nslookup", "web"] });
   * ```
   *
   * @param pod - an image, or a Pod whose `restartPolicy` is `Never` or not set.
   * @throws {KubeError} the server's refusal; `NeverMet` with the reason of the node, such as `ErrImagePull`, or when the
   * pod was deleted by somebody else; `DeadlineExceeded` with what the pod waits for; `TooLarge` above `maxOutputBytes`;
   * `CommandFailed` with `check`.
   */
  runPod(pod: ImageToRun | Pod, options?: RunPodOptions): Promise<ContainerOutput>;
  async runPod(
    pod: ImageToRun | Pod,
    options: RunPodOptions | RunPodSessionOptions = {},
  ): Promise<unknown> {
    const { runPod } = await import("./one-off/run-pod.js");
    return runPod(this, pod, options);
  }

  /**
   * Adds an ephemeral container to a running pod and returns a session with it, as `kubectl debug -it`. The container
   * stays in the pod: the API cannot remove one.
   *
   * @example
   * ```ts
   * const web = { namespace: "prod", name: "web-0" };
   * await using shell = await client.debug(web, { image: "busybox", target: "main", stdin: true });
   * ```
   */
  debug(pod: PodToDebug, options: DebugSessionOptions & WithSession): Promise<ContainerSession>;
  /** Adds an ephemeral container and returns its output as bytes. */
  debug(
    pod: PodToDebug,
    options: DebugOptions & { readonly output: "bytes" },
  ): Promise<ContainerOutput<Buffer>>;
  /**
   * Adds an ephemeral container to a running pod, waits until it has ended, and returns its exit code and output.
   *
   * @throws {KubeError} as {@link runPod}; `InvalidArgument` for a name that is taken or a target that does not exist;
   * `InvalidState` for a pod that has ended.
   */
  debug(pod: PodToDebug, options: DebugOptions): Promise<ContainerOutput>;
  async debug(pod: PodToDebug, options: DebugOptions | DebugSessionOptions): Promise<unknown> {
    const { debug } = await import("./one-off/debug.js");
    return debug(this, pod, options);
  }

  /** Waits until changes of a collection have met each condition in turn. See `until`. */
  until<T extends KubeObject>(
    descriptor: ResourceDescriptor<T>,
    conditions: UntilCondition<T> | readonly UntilCondition<T>[],
    options?: UntilOptions<T>,
  ): Promise<Change<T> | undefined>;
  until<D extends ResourceDescriptor>(
    oneOfSeveral: D,
    conditions: UntilCondition<ObjectOf<D>> | readonly UntilCondition<ObjectOf<D>>[],
    options?: UntilOptions<ObjectOf<D>>,
  ): Promise<Change<ObjectOf<D>> | undefined>;
  until<const R extends KindReference>(
    reference: R & { readonly plural?: never },
    conditions: UntilCondition<KindOf<R>> | readonly UntilCondition<KindOf<R>>[],
    options?: UntilOptions<KindOf<R>>,
  ): Promise<Change<KindOf<R>> | undefined>;
  until(
    type: ResourceDescriptor,
    conditions: UntilCondition<KubeObject> | readonly UntilCondition<KubeObject>[],
    options?: UntilOptions,
  ): Promise<unknown> {
    return until(this, type, conditions, options);
  }
}
