import { KubeError } from "@typekube/core";
import { type Clock, monotonicNow, type Random, withCallScope } from "@typekube/core/internal";
import { createLog, type Log } from "../log/log.js";
import type { CausedKey, CausedQueue } from "../queue/caused-queue.js";
import type { QueueEntry, UnfinishedWork } from "../queue/work-queue.js";
import type { Cause } from "../run/causes.js";
import type { RunContext } from "../run/context/run-context.js";
import type { News } from "../sources/triggers.js";
import { traceQueued, traceRun } from "../trace/trace-run.js";
import { traceStep } from "../trace/trace-step.js";
import { AfterRun } from "./after-run.js";
import type { LoopObserver } from "./loop-observer.js";
import { OwnWrites } from "./own-writes.js";
import type { RunEnd } from "./run-end.js";
import type { RunGate } from "./run-gate.js";
import { runIdentity } from "./run-identity.js";
import { runOnce } from "./run-once.js";
import { type Fencing, type RunHost, RunningRun } from "./running-run.js";
import { thrownError } from "./thrown-error.js";
import { TimeSlice } from "./time-slice.js";

/** Parts of a loop. */
export interface LoopParts {
  readonly context: RunContext;
  readonly queue: CausedQueue;
  readonly clock: Clock;
  readonly random: Random;
  readonly observer: LoopObserver;
  /** Receives errors that belong to no run. */
  readonly onError?: ((error: Error) => void) | undefined;
  /** Refuses the requests of runs after the leadership was lost. Default: none. */
  readonly fence?: (() => Fencing | undefined) | undefined;
  /** Lets only some keys run, each with a fence of its own. Default: all keys. */
  readonly gate?: RunGate | undefined;
}

/** Changes that wait for the end of one run. */
const maxDeferred = 1_000;

/** Takes keys from the queue and reconciles their objects, never two at once for one key. */
export class ControllerLoop {
  readonly #parts: LoopParts;
  readonly #log: Log;
  readonly #running = new Map<string, RunningRun>();
  readonly #after: AfterRun;
  readonly #host: RunHost;
  readonly #ownWrites: OwnWrites;
  readonly #slice = new TimeSlice(() => this.#pump());
  #concurrency: number;
  /** Runs that count as one of `concurrency`. */
  #active = 0;
  #isOpen = false;
  #isPumping = false;
  #stopWatching: () => void = () => {};
  #idle: (() => void)[] = [];

  constructor(parts: LoopParts) {
    const { controller, sink, clock } = parts.context;
    this.#parts = parts;
    this.#log = createLog(sink, clock, { controller: controller.name });
    this.#ownWrites = new OwnWrites(parts.context, this.#log);
    this.#host = {
      controller: controller.name,
      maxAttempts: controller.settings.retry.maxAttempts,
      random: parts.random,
      written: (key, write) => this.#ownWrites.note(key, write),
      floating: (key, reason) => this.#floating(key, reason),
    };
    this.#after = new AfterRun({ ...parts, log: this.#log });
    this.#concurrency = controller.settings.concurrency;
  }

  /** Runs at once. */
  get concurrency(): number {
    return this.#concurrency;
  }

  /** Changes the number of runs at once. No run is interrupted. */
  set concurrency(count: number) {
    if (!(Number.isInteger(count) && count >= 1)) {
      throw new KubeError("InvalidArgument", `concurrency: must be an integer of at least 1`);
    }
    this.#concurrency = count;
    this.#pump();
  }

  /** Keys whose runs are going on, with the milliseconds since their start. */
  get running(): { readonly key: string; readonly sinceMs: number }[] {
    const now = monotonicNow(this.#parts.clock);
    return [...this.#running.values()].map(({ key, startedAt }) => ({
      key,
      sinceMs: now - startedAt,
    }));
  }

  /** Number of runs that count as one of `concurrency`. */
  get active(): number {
    return this.#active;
  }

  /** How long the runs in progress have been running. */
  unfinishedWork(): UnfinishedWork {
    return this.#parts.queue.unfinishedWork();
  }

  /** Keys that are ready to run; 0 before the start. */
  get ready(): number {
    return this.#isOpen ? this.#parts.queue.depth : 0;
  }

  /** Queues a key. */
  trigger(
    key: string,
    cause: Cause,
    options?: { readonly priority?: number; readonly afterMs?: number },
  ): void {
    if (this.#parts.gate?.isOurs(key) === false) {
      return;
    }
    traceQueued(this.#parts.context.controller.name, key, cause);
    this.#parts.queue.add(key, options, cause);
  }

  /** Queues a key if a change is news for it; decides at the end of the key's run, if one is going on. */
  triggerIfNews(
    key: string,
    decide: () => News,
    cause: Cause,
    options: { readonly priority?: number; readonly afterMs?: number } = {},
  ): void {
    const run = this.#running.get(key);
    if (run !== undefined && (run.deferred?.length ?? 0) < maxDeferred) {
      run.deferred ??= [];
      run.deferred.push(() => this.#triggerIfNews(key, decide, cause, options));
    } else {
      this.#triggerIfNews(key, decide, cause, options);
    }
  }

  #triggerIfNews(
    key: string,
    decide: () => News,
    cause: Cause,
    options: { readonly priority?: number; readonly afterMs?: number },
  ): void {
    const news = decide();
    if (news === "echo") {
      this.#parts.observer.ownEcho?.();
    } else if (news === "news") {
      this.trigger(key, cause, options);
    }
  }

  /** Forgets what is known about a key whose object is gone. */
  forget(key: string): void {
    this.#parts.queue.forgetCauses(key);
    this.#ownWrites.forget(key);
    this.#after.forget(key);
    this.#parts.gate?.forget(key);
  }

  /** Every key with its state, its causes and its last error. */
  snapshot(): (QueueEntry & { readonly causes: readonly Cause[]; readonly error?: Error })[] {
    const { queue } = this.#parts;
    return queue.snapshot().map((entry) => {
      const error = this.#after.errorOf(entry.key);
      const causes = queue.causesOf(entry.key);
      return { ...entry, causes, ...(error === undefined ? {} : { error }) };
    });
  }

  /** Begins to reconcile: the caches are complete. */
  start(): void {
    this.#isOpen = true;
    this.#stopWatching = this.#parts.queue.onReady(() => this.#pump());
    this.#pump();
  }

  /** Starts no more runs. Resolves when those that are going on have ended. */
  async drain(): Promise<void> {
    this.#isOpen = false;
    this.#stopWatching();
    if (this.#running.size > 0) {
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
  }

  /**
   * Aborts the runs that are going on.
   *
   * @param isMeant - returns whether the run of a key is to be aborted. Default: every one.
   */
  abort(reason: unknown, isMeant: (key: string) => boolean = () => true): void {
    for (const run of this.#running.values()) {
      if (isMeant(run.key)) {
        run.abort(reason);
      }
    }
  }

  /** Starts runs as long as there are ready keys and free slots. A run that ends at once calls it again from within. */
  #pump(): void {
    if (this.#isPumping) {
      return;
    }
    this.#isPumping = true;
    try {
      const { queue } = this.#parts;
      while (this.#isOpen && this.#active < this.#concurrency && !this.#slice.mustRest()) {
        const taken = queue.takeNow();
        if (taken === undefined) {
          return;
        }
        this.#take(taken);
      }
    } finally {
      this.#isPumping = false;
    }
  }

  #take(taken: CausedKey): void {
    const { queue, gate, fence } = this.#parts;
    const fencing = gate === undefined ? fence?.() : gate.enter(taken.key);
    if (gate !== undefined && fencing === undefined) {
      // Another replica reconciles it by now.
      this.forget(taken.key);
      queue.done(taken.key);
    } else {
      this.#active++;
      this.#run(taken, fencing);
    }
  }

  #run(taken: CausedKey, fence: Fencing | undefined): void {
    const { context, queue, clock } = this.#parts;
    const { settings } = context.controller;
    const { key } = taken;
    const attempt = queue.requeues(key) + 1;
    const startedAt = monotonicNow(clock);
    const run = new RunningRun(taken, attempt, startedAt, this.#host, fence);
    this.#running.set(key, run);
    if (settings.timeoutMs !== Number.POSITIVE_INFINITY) {
      run.limit(clock, settings.timeoutMs, () => this.#timedOut(run));
    }
    run.trace = traceRun(
      () => runIdentity(context, run),
      () => run.causes.forDebug,
    );
    const work = () => withCallScope(run, () => this.#reconcile(run));
    const ended = run.trace === undefined ? work() : run.trace.call(work);
    if (ended instanceof Promise) {
      void ended.then((end) => {
        this.#ended(run, end);
        this.#pump();
      });
    } else {
      this.#ended(run, ended);
    }
  }

  #reconcile(run: RunningRun): Promise<RunEnd> | RunEnd {
    const { context, observer } = this.#parts;
    const reconcile = () => {
      observer.runStarted?.(run);
      return runOnce(context, run, run);
    };
    return this.#ownWrites.has(run.key)
      ? traceStep(
          () => ({ name: "cache wait", controller: run.controller }),
          () => this.#ownWrites.caughtUp(run),
        ).then(reconcile)
      : reconcile();
  }

  #floating(key: string, reason: unknown): void {
    const error = thrownError(`a promise that the run of ${key} did not await`, reason);
    this.#log.error(`${key}: a promise that its run did not await was rejected`, error);
    this.#parts.onError?.(error);
  }

  #timedOut(run: RunningRun): void {
    const { observer, clock, context } = this.#parts;
    const { abandonAfterMs, timeoutMs } = context.controller.settings;
    observer.timedOut?.(run);
    if (abandonAfterMs !== Number.POSITIVE_INFINITY) {
      clock.schedule(
        abandonAfterMs,
        () => {
          if (this.#running.get(run.key) === run && !run.isAbandoned) {
            run.isAbandoned = true;
            this.#active--;
            this.#log.error(
              `${run.key}: stuck reconcile: it ignores its signal ${abandonAfterMs} ms after its limit of ${timeoutMs} ms; its key stays blocked`,
            );
            this.#pump();
          }
        },
        true,
      );
    }
  }

  #ended(run: RunningRun, end: RunEnd): void {
    const { clock, observer, queue, gate } = this.#parts;
    const { key } = run;
    run.end();
    this.#running.delete(key);
    const isStopped = end.result === "error" && run.isAborted && !run.isTimedOut;
    const durationMs = monotonicNow(clock) - run.startedAt;
    if (run.trace !== undefined) {
      const { result, error, reason, requeueAfterMs } = end;
      const shown = isStopped ? "aborted" : result;
      run.trace.end({ result: shown, durationMs, error, reason, requeueAfterMs });
    }
    if (!isStopped) {
      observer.runEnded?.(run, { ...end, durationMs });
      this.#after.ended(run, end);
    } else if (gate?.isOurs(key) !== false) {
      // Nobody else may lead before this process does so again.
      queue.add(key, { priority: run.priority });
    }
    for (const decide of run.deferred ?? []) {
      decide();
    }
    queue.done(key);
    gate?.leave(key, end.result === "success");
    if (!run.isAbandoned) {
      this.#active--;
    }
    if (this.#running.size === 0 && this.#idle.length > 0) {
      for (const resolve of this.#idle.splice(0)) {
        resolve();
      }
    }
  }
}
