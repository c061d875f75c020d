import type { ClientCore } from "@typekube/client";
import {
  type AnyOptionTable,
  amount,
  type Clock,
  callback,
  flag,
  type OptionCheck,
  type OptionTable,
  object,
  oneOf,
  type Random,
} from "@typekube/core/internal";
import type { Controller } from "../definition/controller.js";
import type { ElectorOptions } from "../election/elector-options.js";
import { type HealthOptions, healthOptions } from "../health/health-options.js";
import type { LogSink } from "../log/log.js";
import { type MetricsOptions, metricsOptions } from "../metrics/metrics-options.js";
import type { ShardsOptions } from "../shards/shards-options.js";
import type { WebhooksOptions } from "../webhook/webhooks-options.js";
import type { Runnable } from "./runnable.js";

/** A controller on another cluster than that of the manager. */
export interface ClusterController {
  readonly controller: Controller;
  /** Client of its cluster. */
  readonly client: ClientCore;
  /** Names the cluster in logs and metrics, and lets several have a controller of one name. */
  readonly cluster: string;
}

/** Options of leader election; see `ElectorOptions` for those of the Lease. */
export interface LeaderElectionOptions
  extends Omit<ElectorOptions, "clock" | "events" | "metrics" | "onError" | "random"> {
  /**
   * `rejoin` waits until all runs have ended and is a candidate again in the same process. Default `stop`: the manager
   * ends, and `done` rejects.
   */
  readonly onLost?: "rejoin" | "stop" | undefined;
  /**
   * Fills the caches before this process leads, so that it takes over at once. `false` saves their memory. Default true.
   */
  readonly warm?: boolean | undefined;
}

/** Options of {@link startManager}. */
export interface ManagerOptions {
  /** Controllers to run. */
  readonly controllers?: readonly (ClusterController | Controller)[] | undefined;
  /**
   * Lets only one of several processes reconcile: the one that holds a Lease. Default: none, and every process
   * reconciles.
   */
  readonly leaderElection?: LeaderElectionOptions | undefined;
  /** Webhooks, served by every process. Default: none. */
  readonly webhooks?: WebhooksOptions | undefined;
  /**
   * Divides the objects among several replicas, each of which reconciles its shards: the number of shards, or more
   * options. Not together with `leaderElection`. Default: none.
   */
  readonly shards?: ShardsOptions | number | undefined;
  /** Further parts, run in every process. Default: none. */
  readonly runnables?: readonly Runnable[] | undefined;
  /** Stops the manager with SIGTERM and SIGINT. Default false. */
  readonly signals?: boolean | undefined;
  /** Stops the manager when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds in which everything has to end after a stop; Infinity waits indefinitely. Default 30,000. */
  readonly graceMs?: number | undefined;
  /** `classic` has the semantics of client-go's queue. Default `priority`. */
  readonly queue?: "classic" | "priority" | undefined;
  /**
   * How events are recorded: `series` as objects of events.k8s.io that count their repetitions, `classic` as events of the
   * core group, under client-go's limits. Default `series`.
   */
  readonly events?: "classic" | "off" | "series" | undefined;
  /**
   * Serves health checks at `/healthz` (the process must be restarted) and `/readyz` (it can do its work): by default on
   * port 8081. Default: no port.
   */
  readonly health?: HealthOptions | undefined;
  /** Serves metrics for Prometheus at `/metrics`, by default on port 8080. Needs prom-client. Default: no port. */
  readonly metrics?: MetricsOptions | undefined;
  /** Receives the lines of the log. Default: warnings and errors go to stderr. */
  readonly log?: LogSink | undefined;
  /** Receives errors that belong to no run, such as a promise that a reconciler did not await. Default: the log. */
  readonly onError?: ((error: Error) => void) | undefined;
  /** Default: the client's. */
  readonly clock?: Clock | undefined;
  /** Default `Math.random`. */
  readonly random?: Random | undefined;
}

const list: OptionCheck = { mustBe: "an array", isValid: Array.isArray };

/** Names and checks of {@link ManagerOptions}. */
export const managerOptions: OptionTable<ManagerOptions> = {
  clock: object,
  controllers: list,
  events: oneOf("classic", "off", "series"),
  graceMs: amount,
  leaderElection: object,
  health: healthOptions,
  log: callback,
  metrics: metricsOptions,
  onError: callback,
  queue: oneOf("classic", "priority"),
  random: callback,
  runnables: list,
  shards: true,
  signal: true,
  signals: flag,
  webhooks: object,
} satisfies AnyOptionTable;
