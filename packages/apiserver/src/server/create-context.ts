import type { ResourceDescriptor } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { type Clock, systemClock } from "@typekube/core/internal";
import { createAccess } from "../access/create-access.js";
import type { ServerContext } from "../context/server-context.js";
import { namespaceKeeper } from "../controllers/controller-options.js";
import { Faults } from "../faults/faults.js";
import { strategies } from "../kinds/strategies.js";
import { seededRandom } from "../objects/random.js";
import { minorOf, readFeatureGates } from "../resources/feature-gates.js";
import { createRegistry } from "../resources/resource-registry.js";
import { createSchemaSource } from "../resources/schema-source.js";
import { createTypedFormSource } from "../resources/typed-form.js";
import { trackHistoryAge } from "../store/history-age.js";
import { Store } from "../store/store.js";
import { WatchHub } from "../store/watch-hub.js";
import { createVirtualClock, isMadeVirtual } from "../time/virtual-clock.js";
import { createWork } from "../time/work.js";
import { createWebhookClient } from "../webhooks/webhook-client.js";
import type { ApiServerOptions } from "./api-server-options.js";

/** A server context and the parts that only the server itself uses. */
export interface CreatedContext {
  readonly context: ServerContext;
  /** Aborts {@link ServerContext.closing}. */
  readonly closing: AbortController;
  /** Warnings that a real server would log at startup. */
  readonly warnings: readonly string[];
}

/**
 * Creates a server's context from its options and their defaults.
 *
 * @param parent - the server to fork: its state and its prepared kinds are shared.
 * @throws {KubeError} `InvalidArgument` for invalid gates, versions and users.
 */
export function createContext(
  options: ApiServerOptions,
  builtIn: readonly ResourceDescriptor[],
  parent?: ServerContext,
): CreatedContext {
  const { version = "1.37", seed = 1, runtimeConfig, resources } = options;
  const { historyLimit = 1_000, historyAgeMs = 300_000 } = options;
  assertVersion(version);
  const closing = new AbortController();
  const clock = chooseClock(options.clock, parent);
  const store = parent?.store.fork() ?? new Store(historyLimit);
  // A fork generates different names than its parent has done so far.
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
      createRegistry({
        strategyOf: (name) => strategies.get(name),
        builtIn: ofRelease(builtIn, version),
        custom: resources,
        runtimeConfig,
      }),
    schemas: parent?.schemas ?? createSchemaSource(),
    forms: parent?.forms ?? createTypedFormSource(),
    watches: new WatchHub(),
    gates,
    version,
    closing: closing.signal,
    work: createWork(),
    faults: new Faults(),
    webhooks: createWebhookClient(options, { clock, store }),
    isDraining: false,
    namespaceKeeper: namespaceKeeper(options.controllers),
  };
  return { context, closing, warnings };
}

function assertVersion(version: string): void {
  if (!/^1\.\d{1,3}(?:\.\d{1,3})?$/.test(version)) {
    throw new KubeError(
      "InvalidArgument",
      `${JSON.stringify(version)} is not a Kubernetes release: expected a minor version such as "1.37"`,
    );
  }
}

/** Returns the built-in kinds that a release has. */
function ofRelease(
  builtIn: readonly ResourceDescriptor[],
  version: string,
): readonly ResourceDescriptor[] {
  const minor = minorOf(version);
  return builtIn.filter(({ lifecycle }) => minorOf(lifecycle?.introduced ?? "1.0") <= minor);
}

/**
 * Chooses the clock. A fork's virtual clock starts at its parent's time. A custom clock is shared, since it can't be
 * copied.
 */
function chooseClock(
  clock: ApiServerOptions["clock"],
  parent: Pick<ServerContext, "clock"> | undefined,
): Clock {
  if (clock === "virtual") {
    return createVirtualClock(parent?.clock.now());
  }
  if (clock === undefined || clock === "real") {
    return systemClock;
  }
  return parent !== undefined && isMadeVirtual(clock)
    ? createVirtualClock(parent.clock.now())
    : clock;
}
