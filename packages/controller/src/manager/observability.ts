import type { ClientCore } from "@typekube/client";
import type { Clock, Random } from "@typekube/core/internal";
import {
  type ClosableEventRecorder,
  createEventRecorder,
} from "../events/create-event-recorder.js";
import type { EventRecorder } from "../events/event-recorder.js";
import { silentEvents } from "../events/silent-events.js";
import type { HealthOptions } from "../health/health-options.js";
import { createManagerHealth, type ManagerHealth } from "../health/manager-health.js";
import {
  type HttpListener,
  type ListenerAddress,
  listenHttp,
  type OnRouteError,
  type Route,
} from "../http/http-listener.js";
import { createLog, type LogSink } from "../log/log.js";
import { isStuck } from "../loop/finalizing.js";
import type { LoopObserver } from "../loop/loop-observer.js";
import type { ControllerMetrics, ControllerValues } from "../metrics/controller-metrics.js";
import { createManagerMetrics, type ManagerMetrics } from "../metrics/manager-metrics.js";
import type { MetricsOptions } from "../metrics/metrics-options.js";
import type { QueueObserver } from "../queue/queue-observer.js";
import type { WebhookObserver } from "../webhook/endpoint/webhook-observer.js";
import type { BoundController } from "./bound-controllers.js";
import type { ControllerRunner } from "./controller-runner.js";
import type { ElectionHooks } from "./election-hooks.js";
import type { ManagerPorts } from "./manager.js";

/** Ports without an option. (controller-runtime `pkg/metrics/server`; 8081 is kubebuilder's) */
const defaultMetricsPort = 8080;
const defaultHealthPort = 8081;

/** Different errors of requests that are reported. */
const maxReports = 100;

/** Settings of a manager that {@link Observability} needs. */
export interface ObservabilitySettings {
  readonly client: ClientCore;
  readonly clock: Clock;
  readonly random: Random;
  readonly sink: LogSink;
  readonly eventStyle: "classic" | "off" | "series";
  readonly metrics: MetricsOptions | undefined;
  readonly health: HealthOptions | undefined;
}

/** Parts of a controller that come from {@link Observability}. */
export interface ObservedController {
  readonly events: EventRecorder;
  readonly observers: readonly LoopObserver[];
  readonly queueObserver: QueueObserver | undefined;
  /** Names the runner whose values the metrics show. */
  watch(runner: ControllerRunner): void;
}

/** Shows a manager to the outside: events, metrics, health. */
export class Observability {
  readonly #settings: ObservabilitySettings;
  readonly #recorders: ClosableEventRecorder[] = [];
  readonly #listeners: HttpListener[] = [];
  #metrics: ManagerMetrics | undefined;
  #health: ManagerHealth | undefined;
  #ports: ManagerPorts = {};
  #closing: Promise<void> | undefined;

  constructor(settings: ObservabilitySettings) {
    this.#settings = settings;
  }

  /** `true` when there are ports to open. */
  get hasPorts(): boolean {
    return this.#settings.health !== undefined || this.#settings.metrics !== undefined;
  }

  get ports(): ManagerPorts {
    return this.#ports;
  }

  /** The metrics; `undefined` without the option. */
  get metrics(): ManagerMetrics | undefined {
    return this.#metrics;
  }

  /** The checks; `undefined` without the option. */
  get health(): ManagerHealth | undefined {
    return this.#health;
  }

  /** Opens the ports: before everything else, so that probes get an answer while caches are filled. */
  async start(state: {
    readonly runners: ReadonlyMap<string, ControllerRunner>;
    readonly isRunning: () => boolean;
    /** Why this process should not believe to lead; `undefined` when it need not. */
    readonly electionProblem: () => Error | undefined;
    /** Why API servers cannot rely on the webhooks; empty when they can, and without webhooks. */
    readonly webhookProblems: () => readonly string[];
  }): Promise<void> {
    const { metrics, health, clock, sink } = this.#settings;
    if (metrics !== undefined) {
      this.#metrics = await createManagerMetrics(metrics, this.#settings);
    }
    if (health !== undefined) {
      this.#health = createManagerHealth(health, {
        clock,
        log: createLog(sink, clock),
        caches: () => [...state.runners.values()].flatMap(({ caches }) => caches.all),
        inactiveKinds: () =>
          [...state.runners].flatMap(([name, runner]) =>
            runner.inactiveKinds().map((id) => `${id} of ${name}`),
          ),
        isRunning: state.isRunning,
        electionProblem: state.electionProblem,
        webhookProblems: state.webhookProblems,
      });
    }
    await this.#listen();
  }

  /** Returns what observes a controller. */
  of({ name, controller, client }: BoundController): ObservedController {
    const { eventStyle, clock, random, sink } = this.#settings;
    const metrics = this.#metrics?.of(name);
    let events = silentEvents;
    if (eventStyle !== "off") {
      const recorder = createEventRecorder({
        client,
        controller: controller.name,
        style: eventStyle,
        log: sink,
        onDrop: metrics?.onEventDropped,
        clock,
        random,
      });
      this.#recorders.push(recorder);
      events = recorder;
    }
    return {
      events,
      observers: metrics === undefined ? [] : [metrics.observer],
      queueObserver: metrics?.queueObserver,
      watch: (runner) => watch(metrics, runner, clock),
    };
  }

  /** Returns what observes the webhooks of the manager. */
  ofWebhooks(): WebhookObserver[] {
    return this.#metrics === undefined ? [] : [this.#metrics.webhooks];
  }

  /** Returns what observes the election of the manager. */
  ofElection(): ElectionHooks {
    const { eventStyle, client, clock, random, sink } = this.#settings;
    const metrics = this.#metrics?.election;
    if (eventStyle === "off") {
      return { metrics };
    }
    const events = createEventRecorder({
      client,
      controller: "leader-election",
      style: eventStyle,
      log: sink,
      clock,
      random,
    });
    this.#recorders.push(events);
    return { events, metrics };
  }

  /**
   * Closes the ports and writes pending events.
   *
   * @param flushMs - time for that; 0 drops them.
   */
  close(flushMs: number): Promise<void> {
    const options = { timeoutMs: flushMs };
    const flushed = Promise.all(this.#recorders.map((recorder) => recorder.close(options)));
    this.#closing ??= Promise.all(this.#listeners.map((listener) => listener.close())).then(() => {
      this.#metrics?.close();
      this.#health?.close();
    });
    return Promise.all([flushed, this.#closing]).then(() => {});
  }

  /** Reports why a request could not be served, each reason once. */
  #errorReport(): OnRouteError {
    const log = createLog(this.#settings.sink, this.#settings.clock);
    const told = new Set<string>();
    return (path, error) => {
      const message = error instanceof Error ? error.message : String(error);
      const id = `${path} ${message}`;
      if (!told.has(id) && told.size < maxReports) {
        told.add(id);
        log.warn(`cannot serve ${path}: ${message}`);
      }
    };
  }

  /** Opens one port for both if they have the same number. */
  async #listen(): Promise<void> {
    const { metrics, health } = this.#settings;
    const onError = this.#errorReport();
    const open = async (address: ListenerAddress, routes: readonly Route[]): Promise<number> => {
      const listener = await listenHttp(address, routes, onError);
      this.#listeners.push(listener);
      return listener.port;
    };
    const healthRoutes = this.#health?.routes ?? [];
    const metricsRoutes = this.#metrics === undefined ? [] : [this.#metrics.route];
    const ofHealth = { port: health?.port ?? defaultHealthPort, host: health?.host };
    const ofMetrics = {
      port: metrics?.port ?? defaultMetricsPort,
      host: metrics?.host,
      tls: metrics?.tls,
    };
    if (
      health !== undefined &&
      metrics !== undefined &&
      ofHealth.port === ofMetrics.port &&
      ofHealth.port !== 0
    ) {
      const port = await open(ofMetrics, [...healthRoutes, ...metricsRoutes]);
      this.#ports = { health: port, metrics: port };
      return;
    }
    if (health !== undefined) {
      this.#ports = { health: await open(ofHealth, healthRoutes) };
    }
    if (metrics !== undefined) {
      this.#ports = { ...this.#ports, metrics: await open(ofMetrics, metricsRoutes) };
    }
  }
}

function watch(
  metrics: ControllerMetrics | undefined,
  runner: ControllerRunner,
  clock: Clock,
): void {
  const { loop, caches, controller } = runner;
  const names = new Set(controller.settings.finalizers.map(({ name }) => name));
  const values = (): ControllerValues => ({
    concurrency: loop.concurrency,
    active: loop.active,
    unfinished: loop.unfinishedWork(),
    paused: runner.paused().length,
    stuck: caches.own
      .list({})
      .filter(
        (object) =>
          isStuck(object, clock.now()) &&
          object.metadata.finalizers?.some((name) => names.has(name)) === true,
      ).length,
  });
  metrics?.watch(values);
}
