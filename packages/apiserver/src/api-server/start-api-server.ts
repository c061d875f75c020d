import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import { type Clock, codecs } from "@typekube/core/internal";
import { authenticate } from "../access/authenticate.js";
import type { ServerContext } from "../context/server-context.js";
import { hasActors } from "../controllers/controller-options.js";
import type { RunningControllers } from "../controllers/start-controllers.js";
import { definitionsOf } from "../custom-resources/definition-sources.js";
import { followDefinitions } from "../custom-resources/follow-definitions.js";
import type { FaultRule } from "../faults/fault-rule.js";
import { createJournal } from "../journal/journal.js";
import { type ListenerParts, listen } from "../listener/listen.js";
import type { ListenOptions } from "../listener/listen-options.js";
import type { ApiServerOptions } from "../server/api-server-options.js";
import { assertServerOptions } from "../server/assert-server-options.js";
import { createContext } from "../server/create-context.js";
import { publishApiServices } from "../server/fresh-cluster/api-services.js";
import { publishClientAuthority } from "../server/fresh-cluster/config-maps.js";
import { createFreshCluster } from "../server/fresh-cluster/create-fresh-cluster.js";
import { createNamespaces } from "../server/fresh-cluster/create-namespaces.js";
import { createHandler, type Handler } from "../server/handler.js";
import { createLifetime } from "../server/lifetime.js";
import { createMetrics } from "../server/metrics.js";
import type { WatchDetails, WatchSelector } from "../store/watch-hub.js";
import type { VirtualClock } from "../time/virtual-clock.js";
import { type Authority, createAuthority } from "../tls/authority.js";
import type { ApiServer } from "./api-server.js";
import { createControl } from "./api-server-control.js";
import { inProcess } from "./in-process.js";
import { setServerParts } from "./server-parts.js";

/**
 * Starts a Kubernetes API server in this process. It implements the real protocol on an in-memory store, and opens no
 * socket until {@link ApiServer.listen}.
 *
 * @example
 * ```ts
 * await using api = await startApiServer({ seed: 1 });
 * await using client = await api.client();
 * ```
 */
export async function startApiServer(
  options: ApiServerOptions & { readonly clock: "virtual" },
): Promise<ApiServer<VirtualClock>>;
export async function startApiServer<C extends Clock>(
  options: ApiServerOptions & { readonly clock: C },
): Promise<ApiServer<C>>;
export async function startApiServer(options?: ApiServerOptions): Promise<ApiServer>;
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  assertServerOptions(options);
  const [{ builtInResources }, startControllers] = await Promise.all([
    import("@typekube/api/resources"),
    loadActors(options),
    // Load everything now: lazy loading takes real time, which a virtual clock can't account for, and must not happen
    // during a test.
    codecs.protobuf.prepare?.(),
    codecs.cbor.prepare?.(),
  ]);
  let running: RunningControllers | undefined;
  const api = createApiServer(options, builtInResources, (context, authority) => {
    running = startControllers?.(context, options, authority);
    return running;
  });
  await running?.ready;
  if (options.crds !== undefined) {
    await api.load(await definitionsIn(options.crds));
  }
  if (options.load !== undefined) {
    await api.load(options.load);
  }
  return api;
}

async function definitionsIn(
  crds: NonNullable<ApiServerOptions["crds"]>,
): Promise<readonly KubeObject[]> {
  if (typeof crds !== "string" && !(crds instanceof URL)) {
    return definitionsOf(crds);
  }
  const { readDefinitions } = await import("../server/read-definitions.js");
  return readDefinitions(crds);
}

/** Loads the controllers if the options name any, and checks the names. */
async function loadActors(
  options: ApiServerOptions,
): Promise<typeof import("../controllers/start-controllers.js").startControllers | undefined> {
  const { controllers } = options;
  if (typeof controllers !== "object" && !hasActors(options)) {
    return undefined;
  }
  const { assertControllerNames, startControllers } = await import(
    "../controllers/start-controllers.js"
  );
  assertControllerNames(controllers);
  return hasActors(options) ? startControllers : undefined;
}

/** Starts controllers and stages. The authority's certificate is created on first use. */
type StartActors = (
  context: ServerContext,
  authority: () => string,
) => RunningControllers | undefined;

/**
 * Creates a server with a chosen set of built-in resources.
 *
 * @param parent - the server to fork.
 * @param authority - returns the authority of its certificates. Default: one of its own, created on first use.
 */
export function createApiServer(
  options: ApiServerOptions,
  builtIn: readonly ResourceDescriptor[],
  startActors: StartActors = () => undefined,
  parent?: ServerContext,
  authority: () => Authority = madeOnDemand(createAuthority),
): ApiServer {
  const { context, closing, warnings } = createContext(options, builtIn, parent);
  const { watches, faults } = context;
  const actors = startActors(context, () => authority().cert);
  fill(context, options, parent);
  const { pods = {}, journalLimit = 100_000 } = options;
  const journal = createJournal(journalLimit);
  const handler = createHandler(context, { journal, metrics: createMetrics(), pods });
  const lifetime = createLifetime(context, closing, () => actors?.stop());
  const { sendAs, ...transport } = inProcess(context, handler);
  const listener = listenerParts(context, handler, authority);
  const control = createControl(
    { context, handler, listener, own: lifetime.own },
    () => transport.client({ namespace: "default" }),
    lifetime.hasParts,
  );
  const api: ApiServer = Object.assign(new ServerState(context), {
    ...transport,
    ...control,
    requests: journal.entries,
    warnings,
    async listen(listenOptions: ListenOptions = {}) {
      closing.signal.throwIfAborted();
      const opened = await listen(listener, listenOptions);
      if (opened.certificateAuthority !== undefined) {
        publishClientAuthority(context, opened.certificateAuthority);
      }
      lifetime.own(opened);
      return opened;
    },
    fault: (rule: FaultRule) => faults.add(rule),
    fork: () => createApiServer(options, builtIn, startActors, context, authority),
    dropWatches: (choice?: WatchSelector) => watches.drop(choice),
    close: lifetime.close,
    [Symbol.asyncDispose]: () => lifetime.close(),
  });
  setServerParts(api, { context, sendAs });
  return api;
}

/**
 * The values of a server that change. A class, since V8 gives each object literal with a getter a hidden class of its
 * own, which keeps everything that the getter can reach until the next full garbage collection.
 */
class ServerState implements Pick<ApiServer, "openWatches" | "resourceVersion" | "watches"> {
  readonly #context: Pick<ServerContext, "store" | "watches">;

  constructor({ store, watches }: ServerContext) {
    this.#context = { store, watches };
  }

  get watches(): readonly WatchDetails[] {
    const open = this.#context.watches.all();
    return open.map(({ id, resource, namespace, user }) => ({ id, resource, namespace, user }));
  }

  get resourceVersion(): string {
    return String(this.#context.store.revision);
  }

  get openWatches(): number {
    return this.#context.watches.size;
  }
}

/** Adds the initial content of a server; a fork inherits it from its parent. */
export function fill(
  context: ServerContext,
  options: ApiServerOptions,
  parent?: ServerContext,
): void {
  if (parent === undefined) {
    createNamespaces(context);
  }
  followDefinitions(context, options, () => publishApiServices(context));
  if (parent === undefined) {
    createFreshCluster(context, options.seed ?? 1);
  }
}

function listenerParts(
  { clock, access, gates }: ServerContext,
  handler: Handler,
  authority: () => Authority,
): ListenerParts {
  return {
    clock,
    handler,
    users: access.users,
    isKnown(request, caller) {
      try {
        return authenticate(access, request, caller) !== undefined;
      } catch {
        return false;
      }
    },
    authority,
    compressesStreamingLists: gates.WatchListCompression,
    readsCertifiedUids: gates.AllowParsingUserUIDFromCertAuth,
  };
}

/** Creates a value on first use. Most servers never need an authority, whose key takes longer than everything else. */
function madeOnDemand<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
