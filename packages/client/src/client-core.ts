import type { KubeObject, Live, ResourceDescriptor } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { type Clock, type HttpSend, loadOnce, systemClock } from "@typekube/core/internal";
import { Discovery } from "./discovery/discovery.js";
import type { ApplyAndPruneResult } from "./manifests/apply-and-prune.js";
import type { ManifestsDiff } from "./manifests/diff-each.js";
import type { ManifestClient } from "./manifests/manifest-client.js";
import type { Manifests } from "./manifests/manifest-set.js";
import { type Downgrade, NegotiationMemory } from "./negotiation/negotiation-memory.js";
import type { ApplyAndPruneOptions, DiffOptions } from "./options/apply-set-options.js";
import { assertDefaults, type ClientDefaults } from "./options/client-defaults.js";
import type {
  ApplyAllOptions,
  ApplyObjectOptions,
  DeleteAllOptions,
} from "./options/manifest-options.js";
import { HttpProxy, type ProxiedKind } from "./proxy/http-proxy.js";
import type { ProxyOptions } from "./proxy/proxy-options.js";
import type { LocalProxy } from "./proxy/serve-proxy.js";
import type { ServeProxyOptions } from "./proxy/serve-proxy-options.js";
import { emitWarning } from "./request/warnings.js";
import type { ClientContext } from "./resource/client-context.js";
import { operationsOf } from "./resource/resource-of.js";
import type { AppliedObject, DeletedObject, FailedObject } from "./response/manifest-result.js";
import { ServerRelease } from "./server/server-release.js";
import { ServerClient } from "./server-client.js";
import type { KindReference } from "./types/kind-reference.js";
import type { KindOf } from "./types/kind-types.js";

const loadApplyEach = loadOnce(() => import("./manifests/apply-each.js"));
const loadManifests = loadOnce(() => import("./manifests/index.js"));
const loadServeProxy = loadOnce(() => import("./proxy/serve-proxy.js"));

/** Settings of a client: how it sends requests, and its default namespace. */
export interface ClientSettings {
  /** Sends each request of the client. */
  readonly send: HttpSend;
  /** Address of the server, for messages. */
  readonly server: string;
  /** The client's default namespace. Default `default`. */
  readonly namespace?: string | undefined;
  /** Defaults for every call. Default: none. */
  readonly defaults?: ClientDefaults | undefined;
  /** Clock for timeouts and waits. Default: the system clock. */
  readonly clock?: Clock | undefined;
  /**
   * Called once when the client stops using an encoding for a resource: the server rejected it, or protobuf would lose
   * a field.
   */
  readonly onDowngrade?: ((downgrade: Downgrade) => void) | undefined;
  /** State shared with another client on the same connection, instead of starting empty. */
  readonly learned?:
    | Pick<ClientContext, "discovery" | "lifetime" | "memory" | "release">
    | undefined;
  /** Closes the transport behind `send`. */
  readonly close?: (() => Promise<void>) | undefined;
}

/**
 * A connection to one API server without the typed methods of its resources. `Client` of the package `typekube` extends
 * it, and informers read through it.
 */
export class ClientCore extends ServerClient implements AsyncDisposable {
  readonly #settings: ClientSettings;

  constructor(settings: ClientSettings) {
    const { send, server, namespace = "default", defaults = {}, clock = systemClock } = settings;
    const { discovery, lifetime, memory, release } = settings.learned ?? {
      // All users of the connection share discovery, so it never impersonates: one user's 403 must not become the
      // result for another.
      discovery: new Discovery({ send, defaults: { ...defaults, impersonate: undefined }, clock }),
      memory: new NegotiationMemory(settings.onDowngrade),
      release: new ServerRelease(),
      lifetime: new AbortController(),
    };
    super({ send, server, namespace, defaults, clock, discovery, memory, release, lifetime });
    this.#settings = settings;
  }

  /**
   * Namespace for calls that do not specify one: the option `namespace` of `connect`, else the namespace of the
   * kubeconfig context, else the pod's own inside a pod, else `default`.
   */
  get namespace(): string {
    return this.context.namespace;
  }

  /** Returns every method of a resource, untyped; `undefined` means all namespaces. */
  protected operations(
    type: KindReference | ResourceDescriptor,
    namespace: string | undefined,
  ): object {
    return operationsOf(this.context, type, namespace);
  }

  /**
   * Applies one object of any kind with server-side apply. Its apiVersion and kind select the resource. A namespaced
   * object without `metadata.namespace` goes to the client's default {@link namespace}. After a CustomResourceDefinition
   * it waits until the server serves the kinds, so that their objects can follow.
   *
   * @throws {KubeError} as `apply` of a resource; after a definition, `Conflict` when another one has its names, and
   * `DeadlineExceeded` when its kinds are not served in time.
   */
  async apply<const M extends KindReference & KubeObject>(
    manifest: M,
    options: ApplyObjectOptions = {},
  ): Promise<Live<KindOf<M>>> {
    const { applyOne } = await loadApplyEach();
    return (await applyOne(manifestClient(this.context), manifest, options)) as Live<KindOf<M>>;
  }

  /**
   * Applies many objects with server-side apply, one after another. Takes YAML text with any number of documents, or an
   * array of objects. Namespaces and custom resource definitions come first; the rest follows once the new kinds are
   * served. Every object is attempted: this is not a transaction.
   *
   * @returns the outcome for each manifest, in the order of the manifests.
   * @throws {KubeError} the first failure. Its `cause` holds all failures in `errors`, and `manifestResults(error)`
   * returns the outcome for each manifest. With `onFailure: "report"`, failures are returned among the results instead.
   */
  applyAll(
    manifests: Manifests,
    options?: ApplyAllOptions & { readonly onFailure?: "throw" | undefined },
  ): Promise<AppliedObject[]>;
  /** Returns failures among the results when `onFailure` is `"report"`. */
  applyAll(
    manifests: Manifests,
    options: ApplyAllOptions,
  ): Promise<(AppliedObject | FailedObject)[]>;
  async applyAll(
    manifests: Manifests,
    options: ApplyAllOptions = {},
  ): Promise<(AppliedObject | FailedObject)[]> {
    const { applyAll } = await loadManifests();
    return applyAll(manifestClient(this.context), manifests, options);
  }

  /**
   * Applies manifests as members of an ApplySet (KEP-3659), then deletes members that are no longer in the manifests. A
   * ConfigMap stores the inventory of the set. Nothing is pruned unless every manifest was applied. Only objects that
   * this field manager applied with the label of the set are pruned. With `dryRun: "All"` the result describes what
   * would happen.
   *
   * @throws {KubeError} like `applyAll`; `InvalidArgument` for a set of another tool, or for empty manifests without
   * `allowEmpty`.
   *
   * @example
   * ```ts
   * const { pruned } = await client.applyAndPrune(yaml, { applySet: { name: "shop" }, dryRun: "All" });
   * ```
   */
  async applyAndPrune(
    manifests: Manifests,
    options: ApplyAndPruneOptions,
  ): Promise<ApplyAndPruneResult> {
    const { applyAndPrune } = await loadManifests();
    return applyAndPrune(manifestClient(this.context), manifests, options);
  }

  /**
   * Deletes the objects in the manifests, in reverse apply order. An object that does not exist is not a failure.
   *
   * @returns the outcome for each manifest, in the order of the manifests.
   * @throws {KubeError} like `applyAll`.
   */
  deleteAll(
    manifests: Manifests,
    options?: DeleteAllOptions & { readonly onFailure?: "throw" | undefined },
  ): Promise<DeletedObject[]>;
  /** Returns failures among the results when `onFailure` is `"report"`. */
  deleteAll(
    manifests: Manifests,
    options: DeleteAllOptions,
  ): Promise<(DeletedObject | FailedObject)[]>;
  async deleteAll(
    manifests: Manifests,
    options: DeleteAllOptions = {},
  ): Promise<(DeletedObject | FailedObject)[]> {
    const { deleteAll } = await loadManifests();
    return deleteAll(manifestClient(this.context), manifests, options);
  }

  /**
   * Previews an apply with a server-side dry run. Returns each object before and after, and a unified diff of all
   * changes for people. Server-managed metadata is left out, and Secret values are masked.
   *
   * @throws {KubeError} when an object cannot be compared, such as a `Conflict` without `force`; see `onFailure`.
   *
   * @example
   * ```ts
   * console.log((await client.diff(yaml, { fieldManager: "my-tool" })).text);
   * ```
   */
  async diff(manifests: Manifests, options: DiffOptions = {}): Promise<ManifestsDiff> {
    const { diff } = await loadManifests();
    return diff(manifestClient(this.context), manifests, options);
  }

  /**
   * Returns HTTP to a Pod, a Service or a Node through the API server: `fetch` with the signature of the global one, and
   * `connect` for WebSockets. Sends nothing.
   *
   * @example
   * ```ts
   * const web = client.proxy(Service, "web", { namespace: "prod", port: "http" });
   * const response = await web.fetch("/healthz");
   * ```
   *
   * @throws {KubeError} `InvalidArgument` for another kind, an invalid name or option.
   */
  proxy(kind: ProxiedKind, name: string, options: ProxyOptions = {}): HttpProxy {
    return new HttpProxy(this.context, kind, name, options);
  }

  /**
   * Opens a local port that leads to the API server with this client's credentials, as `kubectl proxy` does, for programs
   * that cannot authenticate themselves. Listens on loopback only, and accepts no pages of other sites.
   *
   * @example
   * ```ts
   * await using proxy = await client.serveProxy();
   * const version = await (await fetch(`${proxy.url}/version`)).json();
   * ```
   *
   * @throws {KubeError} `Config` when the port is taken; `InvalidArgument` for an invalid option.
   */
  async serveProxy(options: ServeProxyOptions = {}): Promise<LocalProxy> {
    const { serveProxy } = await loadServeProxy();
    return serveProxy(this.context, options);
  }

  /**
   * Returns a client on the same connection with other defaults for every call: a field manager, a dry run, strict
   * validation, another user. It knows what this client has learned about the server. Closing either client closes the
   * connection.
   */
  with(defaults: ClientDefaults): this {
    assertDefaults("client.with()", defaults);
    const { memory, discovery, release, lifetime } = this.context;
    const isSomebodyElse = "impersonate" in defaults;
    const settings: ClientSettings = {
      ...this.#settings,
      defaults: { ...this.context.defaults, ...defaults },
      learned: {
        discovery,
        release,
        lifetime,
        memory: isSomebodyElse ? memory.forAnotherUser() : memory,
      },
    };
    return new (this.constructor as new (settings: ClientSettings) => this)(settings);
  }

  /**
   * Ends all requests and waits in progress and closes the connection. A transport passed to `connect` stays open. May
   * be called repeatedly.
   */
  async close(): Promise<void> {
    // A wait without a request, such as the back-off of an informer, ends through this signal only.
    this.context.lifetime.abort(new KubeError("Closed", "the client is closed"));
    await this.#settings.close?.();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Returns the parts of a client that calls on manifests need. */
function manifestClient(context: ClientContext): ManifestClient {
  const { clock, defaults, discovery, namespace } = context;
  return {
    clock,
    defaults,
    discovery,
    namespace,
    operations: (descriptor, namespace) => operationsOf(context, descriptor, namespace),
    warn: (options, text) => emitWarning(context, options, text),
  };
}
