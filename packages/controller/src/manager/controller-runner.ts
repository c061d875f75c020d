import type { KubeObject, Live } from "@typekube/api";
import type { ClientCore } from "@typekube/client";
import { KubeError } from "@typekube/core";
import type { Clock, Random } from "@typekube/core/internal";
import { objectKey } from "@typekube/informer";
import { kindId } from "../definition/any-kind.js";
import type { Controller } from "../definition/controller.js";
import type { DeclaredKind } from "../definition/kind-choice.js";
import type { EventRecorder } from "../events/event-recorder.js";
import { createLog, type Log, type LogSink } from "../log/log.js";
import { ControllerLoop } from "../loop/controller-loop.js";
import type { LoopObserver } from "../loop/loop-observer.js";
import type { Fencing } from "../loop/running-run.js";
import type { CausedQueue } from "../queue/caused-queue.js";
import { AppliedMemory } from "../run/apply/applied-memory.js";
import { OwnWrites } from "../run/context/own-writes.js";
import type { RunContext } from "../run/context/run-context.js";
import { StatusChurn } from "../run/status/status-churn.js";
import { ShardGate } from "../shards/shard-gate.js";
import type { ShardedWork } from "../shards/sharded-work.js";
import { type ControllerCaches, startCaches } from "../sources/controller-caches.js";
import { runKeySource } from "../sources/run-key-source.js";
import type { ServedKind } from "../sources/served-kind.js";
import { syncError } from "../sources/sync-error.js";
import { lowPriority } from "../sources/triggers.js";

/** Parts of a {@link ControllerRunner}. */
export interface RunnerParts {
  readonly controller: Controller;
  readonly client: ClientCore;
  readonly clock: Clock;
  readonly random: Random;
  readonly sink: LogSink;
  readonly events: EventRecorder;
  readonly queue: CausedQueue;
  readonly observer: LoopObserver;
  readonly onError?: ((error: Error) => void) | undefined;
  readonly fence?: (() => Fencing | undefined) | undefined;
  /** Divides the objects among several replicas. Default: all are reconciled here. */
  readonly sharding?: ShardedWork | undefined;
}

/** Milliseconds between two reports of errors of one cache. */
const reportEveryMs = 60_000;

function kindOfWatch({ kind }: Controller["watches"][number]): DeclaredKind {
  return kind;
}

/** One controller at work: its caches, its queue and its loop. */
export class ControllerRunner {
  readonly controller: Controller;
  readonly loop: ControllerLoop;
  readonly context: RunContext;
  readonly caches: ControllerCaches;
  readonly #parts: RunnerParts;
  readonly #log: Log;
  #sources = new AbortController();
  #running: Promise<unknown>[] = [];
  #cancelResync: () => void = () => {};
  #isWorking = false;
  #closing: Promise<void> | undefined;

  /** Starts the caches; the queue fills from now on. */
  constructor(parts: RunnerParts) {
    const { controller, client, clock, random, sink, events, sharding } = parts;
    this.controller = controller;
    this.#parts = parts;
    this.#log = createLog(sink, clock, { controller: controller.name });
    const watched = [controller.kind, ...controller.owns, ...controller.watches.map(kindOfWatch)];
    const ownWrites = new OwnWrites(new Set(watched.map(({ kind }) => kindId(kind))));
    const applied = new AppliedMemory();
    const gate = sharding && new ShardGate(sharding, (key) => this.caches.own.get(key));
    const target = {
      trigger: (...call: Parameters<ControllerLoop["trigger"]>) => this.loop.trigger(...call),
      forget: (key: string) => this.loop.forget(key),
      triggerIfNews: (...call: Parameters<ControllerLoop["triggerIfNews"]>) =>
        this.loop.triggerIfNews(...call),
      gone: (object: Live<KubeObject>) => gate?.gone(object),
    };
    this.caches = startCaches(
      {
        client,
        clock,
        random,
        events: { onError: this.#reporter(), random: random === Math.random ? undefined : random },
        onChange: (kind) => this.#kindChanged(kind),
      },
      { controller, target, ownWrites, log: this.#log },
      sharding?.shards,
    );
    this.context = {
      controller,
      client,
      clock,
      sink,
      events,
      caches: this.caches.byKind,
      uncached: this.caches.uncached,
      kinds: this.caches.kinds,
      children: this.caches.children,
      ownWrites,
      applied,
      toldUnseen: new Set(),
      churn: new StatusChurn(clock),
      finalizers: { areReleased: false },
    };
    for (const [id, cache] of this.caches.byKind) {
      cache.onChange({ delete: (object) => applied.forget(`${id} ${objectKey(object)}`) });
    }
    this.loop = new ControllerLoop({ ...parts, context: this.context, gate });
    if (gate !== undefined) {
      sharding?.add({
        begin: (shard) => this.#triggerShard(gate, shard),
        // A later call replaces one in progress, and the end of the manager ends it.
        follow: (shards) => void this.caches.own.follow(shards).catch(() => {}),
        abort: (shard, reason) => this.loop.abort(reason, (key) => gate.isRunningIn(key, shard)),
        drained: (shard) => gate.drained(shard),
      });
    }
  }

  /** Resolves when all caches are complete, and all kinds are looked up. */
  async synced(signal: AbortSignal): Promise<void> {
    const { syncTimeoutMs, onUnavailable } = this.controller.settings;
    const timeoutMs = onUnavailable === "wait" ? Number.POSITIVE_INFINITY : syncTimeoutMs;
    const named = async (kind: DeclaredKind, served: ServedKind, synced: Promise<void>) => {
      try {
        await synced;
      } catch (error) {
        const failure = () => syncError(this.controller.name, kind, served.descriptor, error);
        throw signal.aborted ? signal.reason : failure();
      }
    };
    const { all, kinds, uncached } = this.caches;
    await Promise.all([
      ...all.map((cache) => named(cache.kind, cache.served, cache.synced(signal, timeoutMs))),
      // Runs read these, too.
      ...[...kinds]
        .filter(([id]) => uncached.has(id))
        .map(([, one]) => named({ kind: one.kind }, one, one.lookedUp(signal, timeoutMs))),
    ]);
  }

  /** Begins to reconcile, or goes on after {@link drain}. */
  work(): void {
    if (this.#isWorking) {
      return;
    }
    this.#isWorking = true;
    this.#sources = new AbortController();
    const { clock, random } = this.#parts;
    const { sources } = this.controller.settings;
    const { signal } = this.#sources;
    this.loop.start();
    this.#running = sources.map((source) =>
      runKeySource(source, { target: this.loop, clock, random, log: this.#log, signal }),
    );
    this.#armResync();
  }

  /** Starts no more runs and resolves when those that are going on have ended. */
  async drain(): Promise<void> {
    this.#cancelResync();
    this.#sources.abort(new KubeError("Aborted", "the controller stops"));
    await Promise.all([this.loop.drain(), ...this.#running]);
    this.#isWorking = false;
  }

  /** Closes the caches and the queue. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Queues every object. */
  triggerAll(options: { readonly priority?: number } = {}): void {
    for (const object of this.caches.own.list({})) {
      this.loop.trigger(objectKey(object), { type: "trigger" }, options);
    }
  }

  /** Returns the cached objects that are paused. */
  paused(): Live<KubeObject>[] {
    return this.caches.own.list({}).filter(this.controller.settings.pauseWhen);
  }

  /** Returns the kinds that the controller does without while their definitions are absent. */
  inactiveKinds(): string[] {
    return [...this.caches.kinds.values()].filter((kind) => kind.isInactive).map(({ id }) => id);
  }

  /** Reports that a kind is inactive; runs every object when it is active again. */
  #kindChanged({ id, isInactive }: ServedKind): void {
    if (isInactive) {
      this.#log.warn(
        `${id} is inactive: the server does not serve it. Runs that need it wait until its definition exists`,
      );
      return;
    }
    this.#log.info(`${id} is active: the server serves it`);
    for (const object of this.caches.own.list({})) {
      this.loop.trigger(objectKey(object), { type: "kind", object: id }, { priority: lowPriority });
    }
  }

  async #close(): Promise<void> {
    this.#cancelResync();
    this.#sources.abort(new KubeError("Aborted", "the controller stops"));
    await this.#parts.queue.close();
    await this.caches.close();
  }

  /** Queues the cached objects of a shard that came back before the cache had dropped them; the others arrive later. */
  #triggerShard(gate: ShardGate, shard: number): void {
    for (const object of this.caches.own.list({})) {
      if (gate.shardOf(object) === shard) {
        this.loop.trigger(objectKey(object), { type: "initial" }, { priority: lowPriority });
      }
    }
  }

  /** Queues every object once per period, spread over it. */
  #armResync(): void {
    const { resyncMs } = this.controller.settings;
    if (resyncMs <= 0) {
      return;
    }
    this.#cancelResync = this.#parts.clock.schedule(resyncMs, () => {
      const objects = this.caches.own.list({});
      for (const [at, object] of objects.entries()) {
        const afterMs = (at * resyncMs) / objects.length;
        const options = { priority: lowPriority, afterMs };
        this.loop.trigger(objectKey(object), { type: "resync" }, options);
      }
      this.#armResync();
    });
  }

  /** Reports the errors of caches, each kind at most once a minute. */
  #reporter(): (error: KubeError, kind: DeclaredKind) => void {
    const reportedAt = new Map<string, number>();
    return (error, kind) => {
      const id = kindId(kind.kind);
      const now = this.#parts.clock.now();
      if (now - (reportedAt.get(id) ?? Number.NEGATIVE_INFINITY) >= reportEveryMs) {
        reportedAt.set(id, now);
        this.#log.warn(`the cache of ${id} has a problem and goes on: ${error.message}`);
      }
    };
  }
}
