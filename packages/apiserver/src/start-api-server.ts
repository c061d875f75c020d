import type { ResourceDescriptor } from "@typekube/api";
import { type Clock, codecs, type HttpSend, KubeError, systemClock } from "@typekube/core";
import type { Client } from "typekube";
import { type AccessOptions, createAccess } from "./access/access.js";
import { bootstrapRoles } from "./access/rbac/bootstrap-roles.js";
import { administrator, type User } from "./access/user.js";
import { type UserOptions, userOf } from "./access/user-book.js";
import { connectInProcess, type EmbeddedClientOptions } from "./client.js";
import { type Authority, createAuthority } from "./connections/authority.js";
import { createMetrics } from "./connections/metrics.js";
import type { PodHandlers } from "./connections/pod-handlers.js";
import {
  type DefinitionOptions,
  followDefinitions,
} from "./custom-resources/follow-definitions.js";
import { type Fault, type FaultRule, Faults } from "./faults.js";
import { defaultFeatureGates, type FeatureGates } from "./feature-gates.js";
import { createHandler } from "./handler.js";
import type { JournalEntry } from "./journal.js";
import { type Listener, type ListenOptions, listen } from "./listen.js";
import { systemNamespaces } from "./namespaces.js";
import { randomUid, seededRandom } from "./random.js";
import { createRegistry, type RegistryOptions } from "./resource-registry.js";
import { createSchemaSource } from "./schema/schema-source.js";
import { createTypedFormSource } from "./schema/typed-form.js";
import { type ServerContext, timestamp } from "./server-context.js";
import { Store } from "./store.js";
import { createVirtualClock, type VirtualClock } from "./virtual-clock.js";
import { WatchHub } from "./watch-hub.js";

/** How an embedded API server behaves. */
export interface ApiServerOptions extends AccessOptions, DefinitionOptions {
  /** The minor version it claims to be. Default "1.37". */
  readonly version?: string;
  /** Names, UIDs and timeouts follow from it. Default 1. */
  readonly seed?: number;
  /** `"virtual"` stands still until `clock.advance()`. Default: real time. */
  readonly clock?: Clock | "real" | "virtual";
  /** How many events each resource remembers for watches and old reads. Default 1000. */
  readonly historyLimit?: number;
  /** Which group-versions to switch on or off, as the flag of a real server: `"api/all=true"`. */
  readonly runtimeConfig?: RegistryOptions["runtimeConfig"];
  /** Gates to switch, as the flag of a real server. What is left out is as 1.37 has it: no CBOR. */
  readonly featureGates?: Partial<FeatureGates>;
  /** Resources to serve besides the built-in ones, without a schema. */
  readonly resources?: readonly ResourceDescriptor[];
  /**
   * Definitions whose schema has rules in CEL (`x-kubernetes-validations`) are refused. Default: they are taken with a
   * warning, and the rules are not evaluated.
   */
  readonly enforceCel?: boolean;
  /** What containers say and do: logs, exec, attach, port-forward. Default: the server answers 501. */
  readonly pods?: PodHandlers;
}

/** An embedded API server that is running. */
export interface ApiServer<C extends Clock = Clock> {
  /** Answers requests in process, as an administrator unless they carry a token: a transport without sockets. */
  readonly send: HttpSend;
  /** The address that stands for the server in process. */
  readonly server: string;
  readonly clock: C;
  /** Every request so far, in order. */
  readonly requests: readonly JournalEntry[];
  /** The version of the last write. */
  readonly resourceVersion: string;
  /** How many watches are open. */
  readonly openWatches: number;
  /** A client of this server, on its clock and without sockets. */
  client(options?: EmbeddedClientOptions): Promise<Client>;
  /** Opens a listener. It lets nobody in but who shows a token or a certificate that the server knows. */
  listen(options?: ListenOptions): Promise<Listener>;
  /** Forgets history up to a version, by default all of it: older watches, pages and exact lists expire. */
  compact(resourceVersion?: string): void;
  /** Lets something go wrong. */
  fault(rule: FaultRule): Fault;
  /** Ends open watches as a dying connection would; returns how many. */
  dropWatches(options?: { readonly resource?: string }): number;
  /** Ends watches, sockets and timers. Can be called again. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a Kubernetes API server in this process. It speaks the real protocol over a store in memory; nothing is
 * listening on a socket until {@link ApiServer.listen}.
 *
 * @example
 * await using api = await startApiServer({ seed: 1 });
 * await using client = await api.client();
 */
export async function startApiServer(
  options: ApiServerOptions & { readonly clock: "virtual" },
): Promise<ApiServer<VirtualClock>>;
export async function startApiServer(options?: ApiServerOptions): Promise<ApiServer>;
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const [{ builtInResources }] = await Promise.all([
    import("@typekube/api/resources"),
    // What is loaded on the way takes time that no virtual clock knows of: nothing of it may fall into a test's own.
    codecs.protobuf.prepare?.(),
    codecs.cbor.prepare?.(),
  ]);
  return createApiServer(options, builtInResources);
}

/** The same with a chosen set of built-in resources. */
export function createApiServer(
  options: ApiServerOptions,
  builtIn: readonly ResourceDescriptor[],
): ApiServer {
  const { version = "1.37", seed = 1, historyLimit = 1_000, runtimeConfig, resources } = options;
  const closing = new AbortController();
  const clock = chooseClock(options.clock);
  const random = seededRandom(seed);
  const store = new Store(historyLimit);
  const context: ServerContext = {
    clock,
    random,
    store,
    access: createAccess(options, { clock, random, store }),
    registry: createRegistry({ builtIn, custom: resources, runtimeConfig }),
    schemas: createSchemaSource(),
    forms: createTypedFormSource(),
    watches: new WatchHub(),
    enforceCel: options.enforceCel === true,
    gates: { ...defaultFeatureGates, ...options.featureGates },
    version,
    closing: closing.signal,
  };
  createNamespaces(context);
  followDefinitions(context, options);
  if (context.access.checksRights) {
    bootstrapRoles(context);
  }
  const faults = new Faults();
  const requests: JournalEntry[] = [];
  const { pods = {} } = options;
  const hooks = { faults, journal: requests, metrics: createMetrics(), pods };
  const handler = createHandler(context, hooks);
  const sendAs =
    (otherwise: User): HttpSend =>
    (request) =>
      handler(request, { caller: { protocol: "in-process", otherwise } });
  const send = sendAs(administrator);
  let authority: Authority | undefined;
  const listenerParts = {
    handler,
    users: context.access.users,
    authority: () => {
      authority ??= createAuthority();
      return authority;
    },
  };
  const listeners: Listener[] = [];
  const close = async () => {
    if (!closing.signal.aborted) {
      closing.abort(new KubeError("ConnectionClosed", "the embedded server is closed"));
    }
    context.watches.endAll();
    await Promise.all(listeners.splice(0).map((listener) => listener.close()));
  };
  const inProcess = { send, server: "http://embedded", clock };
  return {
    ...inProcess,
    requests,
    client: ({ as, ...clientOptions } = {}) =>
      connectInProcess(
        as === undefined ? inProcess : { ...inProcess, send: sendAs(userNamed(context, as)) },
        clientOptions,
      ),
    get resourceVersion() {
      return String(context.store.revision);
    },
    get openWatches() {
      return context.watches.size;
    },
    async listen(listenOptions = {}) {
      closing.signal.throwIfAborted();
      const listener = await listen(listenerParts, listenOptions);
      listeners.push(listener);
      return listener;
    },
    compact(resourceVersion) {
      context.store.compact(
        resourceVersion === undefined ? context.store.revision : BigInt(resourceVersion),
      );
    },
    fault: (rule) => faults.add(rule),
    dropWatches: ({ resource } = {}) => context.watches.drop(resource),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function userNamed({ access }: ServerContext, who: UserOptions | string): User {
  return typeof who === "string" ? access.users.byName(who) : userOf(who);
}

function chooseClock(clock: ApiServerOptions["clock"]): Clock {
  if (clock === "virtual") {
    return createVirtualClock();
  }
  return clock === undefined || clock === "real" ? systemClock : clock;
}

function createNamespaces(server: ServerContext): void {
  const { store, registry, random, clock } = server;
  if (registry.find("", "v1", "namespaces") === undefined) {
    return;
  }
  for (const name of systemNamespaces) {
    store.put("namespaces", name, {
      kind: "Namespace",
      apiVersion: "v1",
      metadata: {
        name,
        uid: randomUid(random),
        creationTimestamp: timestamp(clock),
        labels: { "kubernetes.io/metadata.name": name },
      },
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Active" },
    });
  }
}
