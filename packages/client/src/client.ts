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
import { Discovery, type KindReference } from "./discovery/discovery.js";
import { exchangeObject } from "./exchange-object.js";
import { type AppliedObject, applyEach, type Manifests } from "./manifests.js";
import { type Downgrade, NegotiationMemory } from "./negotiation.js";
import type { ApplyOptions, CallOptions, ClientDefaults } from "./options.js";
import type {
  AllNamespacesClient,
  ResourceClient,
  StreamingSubresource,
} from "./resource-client.js";
import { ResourceOperations } from "./resource-operations.js";
import { type DescriptorSource, ResourceReader } from "./resource-reader.js";
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
  readonly learned?: Pick<ClientContext, "discovery" | "memory"> | undefined;
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

const streams: ReadonlySet<string> = new Set<StreamingSubresource>([
  "attach",
  "exec",
  "log",
  "portforward",
  "proxy",
]);

/** A connection to one API server, and the clients of its resources. */
export class Client implements AsyncDisposable {
  /** What the clients of resources share; for packages that build on this one. */
  readonly context: ClientContext;
  readonly #settings: ClientSettings;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
    const { send, server, namespace = "default", defaults = {}, clock = systemClock } = settings;
    const { discovery, memory } = settings.learned ?? {
      // Asked for once and for everybody, so it is nobody else's: one user's refusal is not the answer for another.
      discovery: new Discovery({ send, defaults: { ...defaults, impersonate: undefined }, clock }),
      memory: new NegotiationMemory(settings.onDowngrade),
    };
    this.context = { send, server, namespace, defaults, clock, discovery, memory };
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
  /** The client of any kind by its names, found by discovery on first use. No namespace means all. */
  resource<const R extends KindReference>(
    reference: R & { readonly plural?: never },
    namespace?: string,
  ): DynamicResourceClient<KindOf<R>>;
  resource(type: KindReference | ResourceDescriptor, namespace?: string): unknown {
    const operations = new ResourceOperations(
      this.context,
      this.#descriptorSource(type),
      namespace,
    );
    const subresources = "plural" in type ? Object.keys(type.subresources) : ["status", "scale"];
    for (const name of subresources.filter((name) => !streams.has(name))) {
      Object.defineProperty(operations, name, {
        configurable: true,
        get: () => operations.subresource(name),
      });
    }
    return operations;
  }

  /** The two reads that informers and pagers are made of. */
  reader(
    type: KindReference | ResourceDescriptor,
    namespace?: string,
    view?: View,
  ): ResourceReader {
    return new ResourceReader(this.context, this.#descriptorSource(type), namespace, view);
  }

  #descriptorSource(type: KindReference | ResourceDescriptor): DescriptorSource {
    if ("plural" in type) {
      const found = Promise.resolve(type);
      return () => found;
    }
    if (typeof type?.apiVersion !== "string" || typeof type.kind !== "string") {
      throw new KubeError(
        "InvalidArgument",
        "a resource needs apiVersion and kind, or a descriptor",
      );
    }
    return (options) => this.context.discovery.find(type, options);
  }

  /**
   * Server-side apply of one object of any kind; kind and apiVersion decide where it goes, and an object without a namespace
   * goes to the namespace of the current context.
   */
  async apply<const M extends KindReference & KubeObject>(
    manifest: M,
    options: ApplyOptions = {},
  ): Promise<Live<KindOf<M>>> {
    const [applied] = await applyEach(this.context, [manifest], options);
    return applied?.object as Live<KindOf<M>>;
  }

  /**
   * Server-side apply of many objects, one after the other, from YAML text with any number of documents or from objects.
   * Every object is tried.
   *
   * @throws {KubeError} the first failure, with all of them in the `errors` of its `cause`.
   */
  async applyAll(manifests: Manifests, options: ApplyOptions = {}): Promise<AppliedObject[]> {
    return applyEach(this.context, manifests, options);
  }

  /**
   * The same connection with other defaults for every call: a field manager, a dry run, strict validation, another user. It
   * knows what this one has learned of the server; closing either closes the connection.
   */
  with(defaults: ClientDefaults): this {
    const { memory, discovery } = this.context;
    const isSomebodyElse = "impersonate" in defaults;
    const settings: ClientSettings = {
      ...this.#settings,
      defaults: { ...this.context.defaults, ...defaults },
      learned: { discovery, memory: isSomebodyElse ? memory.forAnotherUser() : memory },
    };
    return new (this.constructor as new (settings: ClientSettings) => this)(settings);
  }

  /** The server's version (`/version`). */
  async version(options: CallOptions = {}): Promise<ServerVersion> {
    return (await exchangeObject(this.context, {
      method: "GET",
      path: "/version",
      options,
    })) as ServerVersion;
  }

  /** Ends everything that is under way. Can be called again. */
  async close(): Promise<void> {
    await this.#settings.close?.();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** The answer of `/version`. */
export interface ServerVersion {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
  readonly [field: string]: string | undefined;
}
