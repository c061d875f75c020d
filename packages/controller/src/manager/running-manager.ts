import { KubeError } from "@typekube/core";
import { createLog, type Log } from "../log/log.js";
import { allObservers } from "../loop/loop-observer.js";
import { ShardedWork } from "../shards/sharded-work.js";
import type { ShardsSettings } from "../shards/shards-options.js";
import { startShards } from "../shards/start-shards.js";
import type { RunningWebhooks } from "../webhook/running-webhooks.js";
import { ControllerRunner } from "./controller-runner.js";
import { createQueue } from "./create-queue.js";
import { Failures } from "./failures.js";
import { LeaderCampaign } from "./leader-campaign.js";
import type { Manager, ManagerPorts, RunningController } from "./manager.js";
import { type ManagerEvent, ManagerEvents } from "./manager-events.js";
import type { ManagerParts } from "./manager-parts.js";
import type { ManagerSettings } from "./manager-settings.js";
import { startManagerWebhooks } from "./manager-webhooks.js";
import { Observability } from "./observability.js";
import { partOfFirstShard } from "./part-of-first-shard.js";
import { handleProcessSignals } from "./process-signals.js";
import { publishRuns } from "./publish-runs.js";
import type { Runnable, RunnableOptions } from "./runnable.js";
import { RunnableGroup } from "./runnable-group.js";
import { runningController } from "./running-controller.js";
import { stopManager } from "./stop-manager.js";
import { watchFloatingPromises } from "./unhandled-rejections.js";

/** A manager at work: starts its parts in order, and stops them in order, whatever ends it. */
export class RunningManager implements Manager {
  readonly done: Promise<void>;
  readonly #settings: ManagerSettings;
  readonly #log: Log;
  readonly #events = new ManagerEvents();
  readonly #parts: ManagerParts;
  /** Aborts what waits while the manager starts. */
  readonly #starting = new AbortController();
  readonly #cleanUp: (() => void)[] = [];
  readonly #sharding: ShardedWork | undefined;
  #isLeading = false;
  #isRunning = false;
  #graceMs: number;
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
    this.#parts = {
      runners: new Map(),
      everywhere: new RunnableGroup(group),
      leading: new RunnableGroup(group),
      observability: new Observability(settings),
      webhooks: undefined,
      campaign: undefined,
      keeper: undefined,
      isStarted: false,
      failures: new Failures(),
    };
    for (const runnable of settings.runnables) {
      this.#parts.everywhere.add(runnable);
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
    if (this.#parts.observability.hasPorts) {
      await this.#parts.observability.start({
        runners: this.#parts.runners,
        isRunning: () => this.#isRunning,
        electionProblem: () => this.#parts.campaign?.elector.health(),
        webhookProblems: () => this.#parts.webhooks?.problems() ?? [],
      });
    }
    // Before the caches: the server converts the objects that they list by our own webhook.
    const observers = this.#parts.observability.ofWebhooks();
    const parts = { ...this.#settings, log: this.#log, observers };
    this.#parts.webhooks = await startManagerWebhooks(webhooks, parts, this.#starting.signal);
    if (this.#settings.election?.warm !== false) {
      this.#createRunners();
      await this.#synced();
    }
    this.#parts.everywhere.start();
    this.#isRunning = true;
    await this.#elect();
    this.#parts.isStarted = true;
  }

  /** Starts the caches of all controllers. */
  #createRunners(): void {
    const { controllers, clock, random, sink, onError, queue, observers } = this.#settings;
    for (const bound of controllers) {
      const { name, controller, client } = bound;
      const observed = this.#parts.observability.of(bound);
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
        fence: () => this.#parts.campaign?.fence,
        sharding: this.#sharding,
      });
      observed.watch(runner);
      this.#parts.runners.set(name, runner);
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
    this.#parts.campaign = await LeaderCampaign.begin({
      client,
      options: election,
      clock,
      random,
      ...this.#parts.observability.ofElection(),
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
    this.#parts.campaign.start();
  }

  /** Begins what this replica does with its share of the objects. */
  async #shard(settings: ShardsSettings): Promise<void> {
    const { client, clock, random } = this.#settings;
    const work = this.#sharding as ShardedWork;
    work.add(partOfFirstShard(this.#parts.leading));
    this.#workAll();
    const log = this.#log;
    const onError = (error: KubeError) =>
      log.warn(`sharding has a problem and goes on: ${error.message}`);
    const keeper = await startShards({ client, settings, work, clock, random, log, onError });
    this.#parts.keeper = keeper;
    if (this.#stopping !== undefined) {
      await keeper.leave();
      await keeper.close();
    }
  }

  async #leadElected(): Promise<void> {
    if (this.#stopping !== undefined) {
      return;
    }
    if (this.#parts.runners.size === 0) {
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
    const runners = [...this.#parts.runners.values()];
    for (const { loop } of runners) {
      loop.abort(reason);
    }
    await Promise.all([
      this.#parts.leading.stop(reason),
      ...runners.map((runner) => runner.drain()),
    ]);
  }

  get webhooks(): RunningWebhooks | undefined {
    return this.#parts.webhooks;
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  get ports(): ManagerPorts {
    return this.#parts.observability.ports;
  }

  get shards(): number[] {
    return this.#parts.keeper?.held ?? [];
  }

  get busy(): string[] {
    return [...this.#parts.runners].flatMap(([name, { loop }]) => [
      ...loop.running.map(({ key }) => `${name} reconciles ${key}`),
      ...(loop.ready > 0 ? [`${name} has ${loop.ready} ready keys`] : []),
    ]);
  }

  controller(name: string): RunningController {
    const runner = this.#parts.runners.get(name);
    if (runner === undefined) {
      throw new KubeError("InvalidArgument", `the manager has no controller ${name}`, {
        hint: `it has ${[...this.#parts.runners.keys()].join(", ") || "none"}`,
      });
    }
    return runningController(name, runner);
  }

  add(runnable: Runnable, { leaderOnly = false }: RunnableOptions = {}): void {
    if (this.#stopping !== undefined) {
      throw new KubeError("InvalidState", `the manager stops: it cannot start ${runnable.name}`);
    }
    (leaderOnly ? this.#parts.leading : this.#parts.everywhere).add(runnable);
  }

  events(): AsyncIterableIterator<ManagerEvent> {
    return this.#events.read();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** Removes the manager's listeners of the process, without stopping anything: for a test in which it has crashed. */
  abandon(): void {
    for (const clean of this.#cleanUp.splice(0)) {
      clean();
    }
  }

  async #synced(): Promise<void> {
    const all = [...this.#parts.runners.values()];
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
    this.#parts.leading.start();
    this.#workAll();
  }

  #workAll(): void {
    this.#isLeading = true;
    for (const runner of this.#parts.runners.values()) {
      if (runner.caches.all.every(({ isSynced }) => isSynced)) {
        runner.work();
      }
    }
  }

  #fail(error: unknown): void {
    this.#parts.failures.add(error);
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
    const late = await stopManager(this.#parts, this.#settings.clock, reason, this.#graceMs);
    this.#events.close();
    for (const clean of this.#cleanUp.splice(0)) {
      clean();
    }
    if (late !== undefined) {
      this.#parts.failures.add(late);
    }
    if (this.#parts.failures.isEmpty) {
      this.#settle.resolve();
      return;
    }
    const failure = this.#parts.failures.combined;
    this.#settle.reject(failure);
    if (late !== undefined) {
      throw failure;
    }
  }
}
