import { KubeError } from "@typekube/core";
import { monotonicNow, sleep } from "@typekube/core/internal";
import { createLog, type Log } from "../log/log.js";
import { allObservers } from "../loop/loop-observer.js";
import type { ShardKeeper } from "../shards/shard-keeper.js";
import { ShardedWork } from "../shards/sharded-work.js";
import type { ShardsSettings } from "../shards/shards-options.js";
import { startShards } from "../shards/start-shards.js";
import type { RunningWebhooks } from "../webhook/running-webhooks.js";
import { ControllerRunner } from "./controller-runner.js";
import { createQueue } from "./create-queue.js";
import { LeaderCampaign } from "./leader-campaign.js";
import type { Manager, ManagerPorts, RunningController } from "./manager.js";
import { type ManagerEvent, ManagerEvents } from "./manager-events.js";
import type { ManagerSettings } from "./manager-settings.js";
import { startManagerWebhooks } from "./manager-webhooks.js";
import { Observability } from "./observability.js";
import { partOfFirstShard } from "./part-of-first-shard.js";
import { handleProcessSignals } from "./process-signals.js";
import { publishRuns } from "./publish-runs.js";
import type { Runnable, RunnableOptions } from "./runnable.js";
import { RunnableGroup } from "./runnable-group.js";
import { runningController } from "./running-controller.js";
import { watchFloatingPromises } from "./unhandled-rejections.js";

/** Milliseconds in which pending events are written at the stop. */
const maxFlushMs = 2_000;

/** A manager at work: starts its parts in order, and stops them in order, whatever ends it. */
export class RunningManager implements Manager {
  readonly done: Promise<void>;
  readonly #settings: ManagerSettings;
  readonly #log: Log;
  readonly #events = new ManagerEvents();
  readonly #runners = new Map<string, ControllerRunner>();
  readonly #everywhere: RunnableGroup;
  readonly #leading: RunnableGroup;
  readonly #observability: Observability;
  /** Aborts what waits while the manager starts. */
  readonly #starting = new AbortController();
  readonly #cleanUp: (() => void)[] = [];
  #campaign: LeaderCampaign | undefined;
  #webhooks: RunningWebhooks | undefined;
  readonly #sharding: ShardedWork | undefined;
  #keeper: ShardKeeper | undefined;
  #isLeading = false;
  #isRunning = false;
  #isStarted = false;
  #graceMs: number;
  /** Failures: the first one ended the manager. */
  readonly #failures: unknown[] = [];
  #settle: { resolve(): void; reject(reason: unknown): void } = { resolve() {}, reject() {} };
  #stopping: Promise<void> | undefined;

  constructor(settings: ManagerSettings) {
    const { client, clock, random, sink } = settings;
    this.#settings = settings;
    this.#graceMs = settings.graceMs;
    this.#sharding = settings.sharding && new ShardedWork(settings.sharding);
    this.#log = createLog(sink, clock);
    this.done = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // A program that does not await it has the events and the log.
    this.done.catch(() => {});
    const onFailure = ({ name }: Runnable, error: unknown) => {
      this.#log.error(`${name} failed`, error);
      this.#fail(error);
    };
    const group = { client, clock, random, log: this.#log, onFailure };
    this.#everywhere = new RunnableGroup(group);
    this.#leading = new RunnableGroup(group);
    this.#observability = new Observability(settings);
    for (const runnable of settings.runnables) {
      this.#everywhere.add(runnable);
    }
  }

  /** Starts all parts in order. */
  async start(): Promise<void> {
    const { signal, handlesSignals, webhooks } = this.#settings;
    this.#cleanUp.push(watchFloatingPromises());
    if (handlesSignals) {
      this.#cleanUp.push(handleProcessSignals(this.#log, () => this.#stopQuietly()));
    }
    const onAbort = () => this.#stopQuietly();
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#cleanUp.push(() => signal?.removeEventListener("abort", onAbort));
    // Without a port to open, the caches start in this turn of the event loop.
    if (this.#observability.hasPorts) {
      await this.#observability.start({
        runners: this.#runners,
        isRunning: () => this.#isRunning,
        electionProblem: () => this.#campaign?.elector.health(),
        webhookProblems: () => this.#webhooks?.problems() ?? [],
      });
    }
    // Before the caches: the server converts the objects that they list by our own webhook.
    const observers = this.#observability.ofWebhooks();
    const parts = { ...this.#settings, log: this.#log, observers };
    this.#webhooks = await startManagerWebhooks(webhooks, parts, this.#starting.signal);
    if (this.#settings.election?.warm !== false) {
      this.#createRunners();
      await this.#synced();
    }
    this.#everywhere.start();
    this.#isRunning = true;
    await this.#elect();
    this.#isStarted = true;
  }

  /** Starts the caches of all controllers. */
  #createRunners(): void {
    const { controllers, clock, random, sink, onError, queue, observers } = this.#settings;
    for (const bound of controllers) {
      const { name, controller, client } = bound;
      const observed = this.#observability.of(bound);
      const runner = new ControllerRunner({
        controller,
        client,
        clock,
        random,
        sink,
        onError,
        events: observed.events,
        queue: createQueue(queue, controller, clock, random, observed.queueObserver),
        observer: allObservers([publishRuns(this.#events), ...observed.observers, ...observers]),
        fence: () => this.#campaign?.fence,
        sharding: this.#sharding,
      });
      observed.watch(runner);
      this.#runners.set(name, runner);
    }
  }

  /** Begins what only one process does: at once, or when this one is elected. */
  async #elect(): Promise<void> {
    const { client, election, sharding, clock, random } = this.#settings;
    if (sharding !== undefined) {
      await this.#shard(sharding);
      return;
    }
    if (election === undefined) {
      this.#lead();
      return;
    }
    this.#campaign = await LeaderCampaign.begin({
      client,
      options: election,
      clock,
      random,
      ...this.#observability.ofElection(),
      onError: (error) =>
        this.#log.warn(`leader election has a problem and goes on: ${error.message}`),
      lead: () => this.#leadElected(),
      resign: (error) => this.#resign(error),
      lost: (error, leftMs) => {
        this.#events.publish({ type: "notLeading" });
        this.#graceMs = Math.min(this.#graceMs, leftMs);
        this.#fail(error);
      },
    });
    this.#campaign.start();
  }

  /** Begins what this replica does with its share of the objects. */
  async #shard(settings: ShardsSettings): Promise<void> {
    const { client, clock, random } = this.#settings;
    const work = this.#sharding as ShardedWork;
    work.add(partOfFirstShard(this.#leading));
    this.#workAll();
    const log = this.#log;
    const onError = (error: KubeError) =>
      log.warn(`sharding has a problem and goes on: ${error.message}`);
    const keeper = await startShards({ client, settings, work, clock, random, log, onError });
    this.#keeper = keeper;
    if (this.#stopping !== undefined) {
      await keeper.leave();
      await keeper.close();
    }
  }

  async #leadElected(): Promise<void> {
    if (this.#stopping !== undefined) {
      return;
    }
    if (this.#runners.size === 0) {
      this.#createRunners();
      try {
        await this.#synced();
      } catch (error) {
        if (!this.#starting.signal.aborted) {
          this.#fail(error);
        }
        return;
      }
    }
    if (this.#stopping === undefined) {
      this.#events.publish({ type: "leading" });
      this.#lead();
    }
  }

  /** Ends what only the leader does, and resolves when all of it has ended. */
  async #resign(reason: KubeError): Promise<void> {
    this.#isLeading = false;
    this.#events.publish({ type: "notLeading" });
    const runners = [...this.#runners.values()];
    for (const { loop } of runners) {
      loop.abort(reason);
    }
    await Promise.all([this.#leading.stop(reason), ...runners.map((runner) => runner.drain())]);
  }

  get webhooks(): RunningWebhooks | undefined {
    return this.#webhooks;
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  get ports(): ManagerPorts {
    return this.#observability.ports;
  }

  get shards(): number[] {
    return this.#keeper?.held ?? [];
  }

  get busy(): string[] {
    return [...this.#runners].flatMap(([name, { loop }]) => [
      ...loop.running.map(({ key }) => `${name} reconciles ${key}`),
      ...(loop.ready > 0 ? [`${name} has ${loop.ready} ready keys`] : []),
    ]);
  }

  controller(name: string): RunningController {
    const runner = this.#runners.get(name);
    if (runner === undefined) {
      throw new KubeError("InvalidArgument", `the manager has no controller ${name}`, {
        hint: `it has ${[...this.#runners.keys()].join(", ") || "none"}`,
      });
    }
    return runningController(name, runner);
  }

  add(runnable: Runnable, { leaderOnly = false }: RunnableOptions = {}): void {
    if (this.#stopping !== undefined) {
      throw new KubeError("InvalidState", `the manager stops: it cannot start ${runnable.name}`);
    }
    (leaderOnly ? this.#leading : this.#everywhere).add(runnable);
  }

  events(): AsyncIterableIterator<ManagerEvent> {
    return this.#events.read();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #synced(): Promise<void> {
    const all = [...this.#runners.values()];
    const waits = all.map((runner) => ({
      runner,
      synced: runner.synced(this.#starting.signal),
    }));
    const needed = waits.filter(({ runner, synced }) => {
      const waitsForEver = runner.controller.settings.onUnavailable === "wait";
      if (waitsForEver) {
        // It begins to work whenever its caches are complete.
        synced.then(
          () => this.#workWhenLeading(runner),
          () => {},
        );
      }
      return !waitsForEver;
    });
    await Promise.all(needed.map(({ synced }) => synced));
  }

  #workWhenLeading(runner: ControllerRunner): void {
    if (this.#stopping === undefined && this.#isLeading) {
      runner.work();
    }
  }

  /** Begins what only one process does. */
  #lead(): void {
    this.#leading.start();
    this.#workAll();
  }

  #workAll(): void {
    this.#isLeading = true;
    for (const runner of this.#runners.values()) {
      if (runner.caches.all.every(({ isSynced }) => isSynced)) {
        runner.work();
      }
    }
  }

  #fail(error: unknown): void {
    this.#failures.push(error);
    this.#stopQuietly();
  }

  /** Stops; `done` says how it ended. */
  #stopQuietly(): void {
    this.stop().catch(() => {});
  }

  async #stop(): Promise<void> {
    const reason = new KubeError("Aborted", "the manager stops");
    this.#isRunning = false;
    this.#starting.abort(reason);
    const { clock } = this.#settings;
    const graceMs = this.#graceMs;
    const endsAt = monotonicNow(clock) + graceMs;
    const over = new AbortController();
    const grace = sleep(clock, graceMs, over.signal).then(
      () => false,
      () => true,
    );
    const late = new AbortController();
    const ended = this.#end(reason, endsAt, late.signal).then(() => true);
    const isInTime = await Promise.race([ended, grace]);
    over.abort();
    if (!isInTime) {
      late.abort();
      // Another process must not begin beside the runs that still go on.
      await Promise.all([this.#campaign?.close(false), this.#keeper?.close()]);
      await this.#observability.close(0);
    }
    this.#events.close();
    for (const clean of this.#cleanUp.splice(0)) {
      clean();
    }
    if (!isInTime) {
      this.#failures.push(this.#overdue(graceMs));
    }
    if (this.#failures.length > 0) {
      const error = this.#failure();
      this.#settle.reject(error);
      if (!isInTime) {
        throw error;
      }
    } else {
      this.#settle.resolve();
    }
  }

  /**
   * Ends all parts in order. (controller-runtime's engageStopProcedure)
   *
   * @param late - aborts when there is no time left.
   */
  async #end(reason: unknown, endsAt: number, late: AbortSignal): Promise<void> {
    this.#webhooks?.announceStop();
    const runners = [...this.#runners.values()];
    await this.#keeper?.leave();
    const lost = this.#failures.find(
      (one) => one instanceof KubeError && one.code === "LeadershipLost",
    );
    for (const { loop } of runners) {
      loop.abort(lost ?? reason);
    }
    await this.#everywhere.stop(reason);
    await Promise.all([this.#leading.stop(reason), ...runners.map((runner) => runner.drain())]);
    await Promise.all([this.#campaign?.close(true), this.#keeper?.close()]);
    await Promise.all(runners.map((runner) => runner.close()));
    // No API server relies on webhooks of a manager that did not start.
    await this.#webhooks?.stop(this.#isStarted ? late : AbortSignal.abort());
    // A part of the rest, so that a server that does not respond is no reason to be late.
    const leftMs = Math.max(0, endsAt - monotonicNow(this.#settings.clock));
    await this.#observability.close(Math.min(maxFlushMs, leftMs / 2));
  }

  #overdue(graceMs: number): KubeError {
    const parts = [...this.#everywhere.running, ...this.#leading.running];
    const runs = [...this.#runners].flatMap(([name, { loop }]) =>
      loop.running.map(({ key, sinceMs }) => `${name} ${key} since ${Math.round(sinceMs)} ms`),
    );
    return new KubeError(
      "DeadlineExceeded",
      `the manager did not stop in ${graceMs} ms; still running: ${[...parts, ...runs].join(", ")}`,
      { hint: "end a run when run.signal aborts, or raise graceMs" },
    );
  }

  #failure(): unknown {
    const [first, ...others] = this.#failures;
    return others.length === 0
      ? first
      : new AggregateError(this.#failures, first instanceof Error ? first.message : String(first), {
          cause: first,
        });
  }
}
