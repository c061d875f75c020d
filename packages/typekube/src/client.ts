import type { KubeObject, ResourceDescriptor, SubresourceDescriptors, Verb } from "@typekube/api";
import type { Pod } from "@typekube/api/core/v1";
import type {
  DiscoveredResource,
  KindOf,
  KindReference,
  LogLines,
  ObjectOf,
} from "@typekube/client";
import { LogStream, namespaceArgument } from "@typekube/client/internal";
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
import { WatchingClient } from "./watching-client.js";

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
export class Client extends WatchingClient {
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
}
