import type { ResourceDescriptor } from "@typekube/api";
import { type Clock, codecs, type HttpSend, KubeError, sleep, systemClock } from "@typekube/core";
import { createAccess } from "./access/access.js";
import { bootstrapRoles } from "./access/rbac/bootstrap-roles.js";
import { administrator, type User } from "./access/user.js";
import { type UserOptions, userOf } from "./access/user-book.js";
import type { ApiServer, ApiServerOptions, CloseOptions } from "./api-server.js";
import { connectInProcess, type EmbeddedClientOptions } from "./client.js";
import { type Authority, createAuthority } from "./connections/authority.js";
import { listen } from "./connections/listen.js";
import { createMetrics } from "./connections/metrics.js";
import { createControl } from "./control/api-server-control.js";
import { Faults } from "./control/faults.js";
import type { JournalEntry } from "./control/journal.js";
import { randomUid, seededRandom } from "./control/random.js";
import { createVirtualClock, type VirtualClock } from "./control/virtual-clock.js";
import { createWork } from "./control/work.js";
import { hasActors, namespaceKeeper } from "./controllers/controller-options.js";
import type { RunningControllers } from "./controllers/start-controllers.js";
import { followDefinitions } from "./custom-resources/follow-definitions.js";
import { createHandler } from "./handler.js";
import { trackHistoryAge } from "./read/history-age.js";
import { minorOf, readFeatureGates } from "./resources/feature-gates.js";
import { systemNamespaces } from "./resources/namespaces.js";
import { createRegistry } from "./resources/resource-registry.js";
import { createSchemaSource } from "./schema/schema-source.js";
import { createTypedFormSource } from "./schema/typed-form.js";
import { type ServerContext, timestamp } from "./server-context.js";
import { Store } from "./store/store.js";
import { WatchHub } from "./watch/watch-hub.js";

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
  const [{ builtInResources }, actors] = await Promise.all([
    import("@typekube/api/resources"),
    hasActors(options) ? import("./controllers/start-controllers.js") : undefined,
    // What is loaded on the way takes time that no virtual clock knows of: nothing of it may fall into a test's own.
    codecs.protobuf.prepare?.(),
    codecs.cbor.prepare?.(),
  ]);
  let running: RunningControllers | undefined;
  const api = createApiServer(options, builtInResources, (context, authority) => {
    running = actors?.startControllers(context, options, authority);
    return running;
  });
  await running?.ready;
  if (options.load !== undefined) {
    await api.load(options.load);
  }
  return api;
}

/** The same with a chosen set of built-in resources. */
export function createApiServer(
  options: ApiServerOptions,
  builtIn: readonly ResourceDescriptor[],
  startActors: (
    context: ServerContext,
    authority: () => string,
  ) => RunningControllers | undefined = () => undefined,
  parent?: ServerContext,
): ApiServer {
  const { version = "1.37", seed = 1, runtimeConfig, resources } = options;
  const { historyLimit = 1_000, historyAgeMs = 300_000 } = options;
  const closing = new AbortController();
  const clock = chooseClock(options.clock, parent);
  const store = parent?.store.fork() ?? new Store(historyLimit);
  // A fork gives other names than its parent did.
  const random = seededRandom(seed + Number(store.revision));
  const { gates, warnings } = readFeatureGates(version, options.featureGates);
  const context: ServerContext = {
    clock,
    random,
    store,
    history: trackHistoryAge(store, clock, historyAgeMs),
    access: createAccess(options, { clock, random, store }),
    registry:
      parent?.registry.fork() ??
      createRegistry({ builtIn: ofRelease(builtIn, version), custom: resources, runtimeConfig }),
    schemas: parent?.schemas ?? createSchemaSource(),
    forms: parent?.forms ?? createTypedFormSource(),
    watches: new WatchHub(),
    enforceCel: options.enforceCel === true,
    gates,
    version,
    closing: closing.signal,
    work: createWork(),
    faults: new Faults(),
    isDraining: false,
    namespaceKeeper: namespaceKeeper(options.controllers),
  };
  let authority: Authority | undefined;
  const ownAuthority = () => {
    authority ??= createAuthority();
    return authority;
  };
  const actors = startActors(context, () => ownAuthority().cert);
  if (parent === undefined) {
    createNamespaces(context);
  }
  followDefinitions(context, options);
  if (context.access.checksRights && parent === undefined) {
    bootstrapRoles(context);
  }
  const requests: JournalEntry[] = [];
  const { pods = {} } = options;
  const hooks = { journal: requests, metrics: createMetrics(), pods };
  const handler = createHandler(context, hooks);
  const sendAs =
    (otherwise: User): HttpSend =>
    (request) =>
      handler(request, { caller: { protocol: "in-process", otherwise } });
  const send = sendAs(administrator);
  const listenerParts = {
    clock,
    handler,
    users: context.access.users,
    authority: ownAuthority,
    compressesStreamingLists: gates.WatchListCompression,
    readsCertifiedUids: gates.AllowParsingUserUIDFromCertAuth,
  };
  const owned: { close(options?: { readonly isGraceful?: boolean }): Promise<void> }[] = [];
  const close = async ({ delayMs }: CloseOptions = {}) => {
    const isGraceful = delayMs !== undefined;
    if (isGraceful && !closing.signal.aborted) {
      context.isDraining = true;
      await sleep(clock, delayMs, closing.signal).catch(() => {});
      context.watches.endAll();
      await Promise.all(owned.splice(0).map((part) => part.close({ isGraceful })));
    }
    if (!closing.signal.aborted) {
      closing.abort(new KubeError("ConnectionClosed", "the embedded server is closed"));
    }
    actors?.stop();
    context.watches.endAll();
    await Promise.all(owned.splice(0).map((part) => part.close()));
  };
  const inProcess = { send, server: "http://embedded", clock };
  const client = ({ as, ...clientOptions }: EmbeddedClientOptions = {}) =>
    connectInProcess(
      as === undefined ? inProcess : { ...inProcess, send: sendAs(userNamed(context, as)) },
      clientOptions,
    );
  const own = (part: (typeof owned)[number]) => owned.push(part);
  const control = createControl(
    { context, handler, listener: listenerParts, own },
    () => client({ namespace: "default" }),
    () => owned.length > 0,
  );
  return {
    ...inProcess,
    requests,
    warnings,
    client,
    get resourceVersion() {
      return String(context.store.revision);
    },
    get openWatches() {
      return context.watches.size;
    },
    async listen(listenOptions = {}) {
      closing.signal.throwIfAborted();
      const listener = await listen(listenerParts, listenOptions);
      own(listener);
      return listener;
    },
    compact(resourceVersion) {
      context.store.compact(
        resourceVersion === undefined ? context.store.revision : BigInt(resourceVersion),
      );
    },
    fault: (rule) => context.faults.add(rule),
    fork: () => createApiServer(options, builtIn, startActors, context),
    dropWatches: (choice) => context.watches.drop(choice),
    close,
    [Symbol.asyncDispose]: () => close(),
    get watches() {
      return control.watches;
    },
    settled: control.settled,
    isSteady: control.isSteady,
    hold: control.hold,
    snapshot: control.snapshot,
    restore: control.restore,
    load: control.load,
    dump: control.dump,
    replica: control.replica,
  };
}

/** What a release has of the kinds of today. */
function ofRelease(
  builtIn: readonly ResourceDescriptor[],
  version: string,
): readonly ResourceDescriptor[] {
  const minor = minorOf(version);
  return builtIn.filter(({ lifecycle }) => minorOf(lifecycle?.introduced ?? "1.0") <= minor);
}

function userNamed({ access }: ServerContext, who: UserOptions | string): User {
  return typeof who === "string" ? access.users.byName(who) : userOf(who);
}

function chooseClock(
  clock: ApiServerOptions["clock"],
  parent: Pick<ServerContext, "clock"> | undefined,
): Clock {
  if (clock === "virtual") {
    return createVirtualClock(parent?.clock.now());
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
