import type {
  BuiltInKinds,
  KubeObject,
  Live,
  ResourceDescriptor,
  SubresourceDescriptor,
  SubresourceDescriptors,
  Verb,
} from "@typekube/api";
import { type Clock, type HttpSend, KubeError, systemClock } from "@typekube/core";
import type { ClientContext } from "./client-context.js";
import { Discovery } from "./discovery/discovery.js";
import type { KindReference } from "./discovery/kind-reference.js";
import type { DiscoveredResource } from "./discovery/served-api.js";
import { assertDefaults } from "./known-options.js";
import type { ApplyAndPruneResult } from "./manifests/apply-and-prune.js";
import type { ApplyAndPruneOptions } from "./manifests/apply-and-prune-options.js";
import type { DiffOptions, ManifestsDiff } from "./manifests/diff-each.js";
import type {
  AppliedObject,
  ApplyAllOptions,
  DeleteAllOptions,
  DeletedObject,
  FailedObject,
  Manifests,
} from "./manifests/manifest-result.js";
import { namespaceArgument } from "./namespace-argument.js";
import { type Downgrade, NegotiationMemory } from "./negotiation.js";
import type { ApplyOptions, ClientDefaults } from "./options.js";
import type { AllNamespacesClient, ResourceClient } from "./resource-client.js";
import { descriptorSource, operationsOf } from "./resource-of.js";
import { ResourceReader } from "./resource-reader.js";
import { ServerClient } from "./server-client.js";
import { ServerRelease } from "./server-release.js";
import type { View } from "./view.js";

/** What a client is made of: the way to the server, and the namespace that names without one mean. */
export interface ClientSettings {
  readonly send: HttpSend;
  /** Where requests go, for messages. */
  readonly server: string;
  /** Default `default`. */
  readonly namespace?: string | undefined;
  readonly defaults?: ClientDefaults | undefined;
  readonly clock?: Clock | undefined;
  /** Told when an encoding is given up for a resource, once each: the server refused it, or protobuf would lose a field. */
  readonly onDowngrade?: ((downgrade: Downgrade) => void) | undefined;
  /** What another client on the same connection has learned of the server. */
  readonly learned?:
    | Pick<ClientContext, "discovery" | "lifetime" | "memory" | "release">
    | undefined;
  /** Ends what `send` stands on. */
  readonly close?: (() => Promise<void>) | undefined;
}

/** A kind by its names: the object type of a built-in one is known, any other is a plain object. */
export type KindOf<R extends KindReference> = R["apiVersion"] extends keyof BuiltInKinds
  ? R["kind"] extends keyof BuiltInKinds[R["apiVersion"]]
    ? BuiltInKinds[R["apiVersion"]][R["kind"]] extends infer T extends KubeObject
      ? T
      : UnknownKind
    : UnknownKind
  : UnknownKind;

/** An object of a kind that the compiler does not know. */
export interface UnknownKind extends KubeObject {
  [field: string]: unknown;
}

/** What stands for a namespace in the compiler's words, where there is none. */
export type NamespaceOf<R> = R extends { readonly scope: "Cluster" }
  ? "a cluster-scoped kind has no namespace"
  : never;

/** What may follow a descriptor: a namespace, unless nothing that it describes has one. */
export type NamespaceArguments<D extends ResourceDescriptor> = [D["scope"]] extends ["Cluster"]
  ? []
  : OptionalNamespace;

/** A namespace or none, which means all. An explicit `undefined` is neither. */
export type OptionalNamespace = readonly [] | readonly [namespace: string];

/** The objects of a descriptor; of several, one of theirs. */
export type ObjectOf<D extends ResourceDescriptor> =
  D extends ResourceDescriptor<infer T> ? T : never;

/** The subresources that any kind may have. */
// A type alias, not an interface that extends SubresourceDescriptors: that would bring its index signature along.
type CommonSubresources<T> = {
  readonly status: SubresourceDescriptor<T, "get" | "patch" | "update">;
  readonly scale: SubresourceDescriptor<UnknownKind, "get" | "patch" | "update">;
};

/** The client of a kind that is found by discovery. */
export type DynamicResourceClient<T extends KubeObject = UnknownKind> = ResourceClient<
  T,
  Verb,
  CommonSubresources<T>
>;

/** A connection to one API server, and the clients of its resources. */
export class Client extends ServerClient implements AsyncDisposable {
  readonly #settings: ClientSettings;

  constructor(settings: ClientSettings) {
    const { send, server, namespace = "default", defaults = {}, clock = systemClock } = settings;
    const { discovery, lifetime, memory, release } = settings.learned ?? {
      // Asked for once and for everybody, so it is nobody else's: one user's refusal is not the answer for another.
      discovery: new Discovery({ send, defaults: { ...defaults, impersonate: undefined }, clock }),
      memory: new NegotiationMemory(settings.onDowngrade),
      release: new ServerRelease(),
      lifetime: new AbortController(),
    };
    super({ send, server, namespace, defaults, clock, discovery, memory, release, lifetime });
    this.#settings = settings;
  }

  /** The namespace of the current context. */
  get namespace(): string {
    return this.context.namespace;
  }

  /** The client of a cluster-wide resource. */
  resource<T extends KubeObject, V extends Verb, Sub extends SubresourceDescriptors>(
    descriptor: ResourceDescriptor<T, "Cluster", V, Sub>,
  ): ResourceClient<T, V, Sub>;
  /** The client of a namespaced resource in one namespace. */
  resource<T extends KubeObject, V extends Verb, Sub extends SubresourceDescriptors>(
    descriptor: ResourceDescriptor<T, "Namespaced", V, Sub>,
    namespace: string,
  ): ResourceClient<T, V, Sub>;
  /** The client of a namespaced resource over all namespaces. */
  resource<T extends KubeObject, V extends Verb, Sub extends SubresourceDescriptors>(
    descriptor: ResourceDescriptor<T, "Namespaced", V, Sub>,
  ): AllNamespacesClient<T, V>;
  /** The client of a resource that discovery found. No namespace means all. */
  resource(discovered: DiscoveredResource, ...namespace: OptionalNamespace): DynamicResourceClient;
  /** The client of any kind by its names, found by discovery on first use. No namespace means all. */
  resource<const R extends KindReference>(
    reference: R & { readonly plural?: never },
    ...namespace: OptionalNamespace
  ): DynamicResourceClient<KindOf<R>>;
  /** The client of one of several kinds, or of one that is known when the program runs, over all namespaces. */
  resource<D extends ResourceDescriptor>(descriptor: D): DynamicResourceClient<ObjectOf<D>>;
  /** The client of one of several kinds, or of one that is known when the program runs. No namespace means all. */
  resource<D extends ResourceDescriptor>(
    descriptor: D,
    ...namespace: NamespaceArguments<D>
  ): DynamicResourceClient<ObjectOf<D>>;
  /** No call fits here: it is what the compiler quotes for a namespace that a kind cannot have. */
  resource<const R extends KindReference>(reference: R, namespace: NamespaceOf<R>): never;
  resource(type: KindReference | ResourceDescriptor, ...namespace: readonly unknown[]): unknown {
    return operationsOf(this.context, type, namespaceArgument(namespace));
  }

  /** The two reads that informers and pagers are made of. */
  reader(
    type: KindReference | ResourceDescriptor,
    namespace?: string,
    view?: View,
  ): ResourceReader {
    return new ResourceReader(this.context, descriptorSource(this.context, type), namespace, view);
  }

  /**
   * Server-side apply of one object of any kind; kind and apiVersion decide where it goes, and an object without a namespace
   * goes to the namespace of the current context.
   */
  async apply<const M extends KindReference & KubeObject>(
    manifest: M,
    options: ApplyOptions = {},
  ): Promise<Live<KindOf<M>>> {
    const { applyOne } = await import("./manifests/apply-each.js");
    return (await applyOne(this.context, manifest, options)) as Live<KindOf<M>>;
  }

  /**
   * Server-side apply of many objects, from YAML text with any number of documents or from objects: namespaces and definitions of
   * kinds first, then, once their kinds are served, the rest, one after the other. Every object is tried; it is no transaction.
   *
   * @returns what became of each, in the order of the manifests.
   * @throws {KubeError} the first failure, with all of them in the `errors` of its `cause`; `manifestResults(error)` tells what became
   * of each. With `onFailure: "report"` failures are among the results instead.
   */
  applyAll(
    manifests: Manifests,
    options?: ApplyAllOptions & { readonly onFailure?: "throw" | undefined },
  ): Promise<AppliedObject[]>;
  /** The same with failures among the results. */
  applyAll(
    manifests: Manifests,
    options: ApplyAllOptions,
  ): Promise<(AppliedObject | FailedObject)[]>;
  async applyAll(
    manifests: Manifests,
    options: ApplyAllOptions = {},
  ): Promise<(AppliedObject | FailedObject)[]> {
    const { applyAll } = await import("./manifests/index.js");
    return applyAll(this.context, manifests, options);
  }

  /**
   * Applies manifests as members of a set and then deletes the members that are no longer among them. A ConfigMap keeps the set's
   * inventory as KEP-3659 (ApplySet) says. Nothing is pruned unless everything could be applied, and only what this field manager
   * applied with the label of the set. With `dryRun: "All"` the result says what would be.
   *
   * @throws {KubeError} as `applyAll`; `InvalidArgument` for another tool's set, or for no manifests at all.
   *
   * @example
   * const { pruned } = await client.applyAndPrune(yaml, { applySet: { name: "shop" }, dryRun: "All" });
   */
  async applyAndPrune(
    manifests: Manifests,
    options: ApplyAndPruneOptions,
  ): Promise<ApplyAndPruneResult> {
    const { applyAndPrune } = await import("./manifests/index.js");
    return applyAndPrune(this.context, manifests, options);
  }

  /**
   * Deletes what manifests describe, in the reverse of the order in which they are applied. What is not there is no failure.
   *
   * @returns what became of each, in the order of the manifests.
   * @throws {KubeError} as `applyAll`.
   */
  deleteAll(
    manifests: Manifests,
    options?: DeleteAllOptions & { readonly onFailure?: "throw" | undefined },
  ): Promise<DeletedObject[]>;
  /** The same with failures among the results. */
  deleteAll(
    manifests: Manifests,
    options: DeleteAllOptions,
  ): Promise<(DeletedObject | FailedObject)[]>;
  async deleteAll(
    manifests: Manifests,
    options: DeleteAllOptions = {},
  ): Promise<(DeletedObject | FailedObject)[]> {
    const { deleteAll } = await import("./manifests/index.js");
    return deleteAll(this.context, manifests, options);
  }

  /**
   * What an apply would change, as the server says in a dry run: each object before and after, and all of it as a unified diff for
   * people. What the server keeps for itself is left out, values of Secrets are masked.
   *
   * @throws {KubeError} when an object could not be compared, as a `Conflict` without `force`; see `onFailure`.
   *
   * @example
   * console.log((await client.diff(yaml, { fieldManager: "my-tool" })).text);
   */
  async diff(manifests: Manifests, options: DiffOptions = {}): Promise<ManifestsDiff> {
    const { diff } = await import("./manifests/index.js");
    return diff(this.context, manifests, options);
  }

  /**
   * The same connection with other defaults for every call: a field manager, a dry run, strict validation, another user. It
   * knows what this one has learned of the server; closing either closes the connection.
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

  /** Ends everything that is under way. Can be called again. */
  async close(): Promise<void> {
    // What waits, as an informer does after a failure, has no request that would end.
    this.context.lifetime.abort(new KubeError("Closed", "the client is closed"));
    await this.#settings.close?.();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
