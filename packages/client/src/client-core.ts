import type { KubeObject, Live, ResourceDescriptor } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { type Clock, type HttpSend, systemClock } from "@typekube/core/internal";
import type { ClientContext } from "./client-context.js";
import { Discovery } from "./discovery/discovery.js";
import type { KindReference } from "./discovery/kind-reference.js";
import type { KindOf } from "./kind-types.js";
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
import { type Downgrade, NegotiationMemory } from "./negotiation.js";
import type { ApplyOptions, ClientDefaults } from "./options.js";
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

/**
 * A connection to one API server without the typed methods of its resources: what `Client` of the package `typekube` extends, and what
 * informers read through.
 */
export class ClientCore extends ServerClient implements AsyncDisposable {
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

  /** Returns every method of a resource, untyped; `undefined` means all namespaces. */
  protected operations(
    type: KindReference | ResourceDescriptor,
    namespace: string | undefined,
  ): object {
    return operationsOf(this.context, type, namespace);
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
