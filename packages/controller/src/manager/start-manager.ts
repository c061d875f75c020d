import type { ClientCore } from "@typekube/client";
import { contextOf } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import { assertOptions } from "@typekube/core/internal";
import { assertElectorOptions } from "../election/elector-options.js";
import { stderrSink } from "../log/log.js";
import type { LoopObserver } from "../loop/loop-observer.js";
import { shardsSettings } from "../shards/shards-options.js";
import { controllersOf } from "./bound-controllers.js";
import { electionOf } from "./leader-campaign.js";
import type { Manager } from "./manager.js";
import { type ManagerOptions, managerOptions } from "./manager-options.js";
import type { ManagerSettings } from "./manager-settings.js";
import { RunningManager } from "./running-manager.js";

/** Milliseconds in which everything has to end after a stop. (controller-runtime's GracefulShutdownTimeout) */
const defaultGraceMs = 30_000;

/**
 * Starts controllers, and everything around them, in order: caches, further parts, then the runs. Resolves when all have
 * started.
 *
 * @example
 * ```ts
 * await using client = await connect();
 * await using manager = await startManager(client, { controllers: [shops], signals: true });
 * await manager.done;
 * ```
 *
 * @throws {KubeError} `InvalidArgument` for an invalid option or two controllers with one name; otherwise why a part
 * could not start. What had started is stopped then, and the call may be repeated.
 */
export async function startManager(
  client: ClientCore,
  options: ManagerOptions = {},
): Promise<Manager> {
  return startObservedManager(client, options, []);
}

/** Starts a manager whose runs are observed; see {@link startManager}. */
export async function startObservedManager(
  client: ClientCore,
  options: ManagerOptions,
  observers: readonly LoopObserver[],
): Promise<Manager> {
  const manager = createManager(client, options, observers);
  try {
    await manager.start();
  } catch (error) {
    await manager.stop().catch(() => {});
    throw error instanceof Error ? error : KubeError.from(error);
  }
  return manager;
}

/** Creates a manager that is not started yet; see {@link startManager} for what it throws. */
export function createManager(
  client: ClientCore,
  options: ManagerOptions,
  observers: readonly LoopObserver[],
): RunningManager {
  assertOptions("startManager()", options, managerOptions);
  if (options.leaderElection !== undefined) {
    assertElectorOptions(electionOf(options.leaderElection));
  }
  if (options.leaderElection !== undefined && options.shards !== undefined) {
    throw new KubeError("InvalidArgument", "shards: cannot be combined with leaderElection", {
      hint: "with shards every replica works; a part with leaderOnly runs in the one that holds the first shard",
    });
  }
  options.signal?.throwIfAborted();
  const controllers = controllersOf(client, options.controllers ?? []);
  const settings: ManagerSettings = {
    client,
    controllers,
    election: options.leaderElection,
    sharding:
      options.shards === undefined
        ? undefined
        : shardsSettings(
            options.shards,
            controllers.map(({ name }) => name),
          ),
    runnables: options.runnables ?? [],
    clock: options.clock ?? contextOf(client).clock,
    random: options.random ?? Math.random,
    sink: options.log ?? stderrSink,
    onError: options.onError,
    queue: options.queue ?? "priority",
    graceMs: options.graceMs ?? defaultGraceMs,
    signal: options.signal,
    metrics: options.metrics,
    health: options.health,
    eventStyle: options.events ?? "series",
    handlesSignals: options.signals ?? false,
    observers,
    webhooks: options.webhooks,
  };
  return new RunningManager(settings);
}
