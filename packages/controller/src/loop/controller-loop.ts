import type { KubeObject, Live } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { type Clock, monotonicNow, type Random, withCallScope } from "@typekube/core/internal";
import { kindId } from "../definition/kind-choice.js";
import { createLog, type Log } from "../log/log.js";
import type { QueueEntry, TakenKey, WorkQueue } from "../queue/work-queue.js";
import { type Cause, maxCauses, type RunCauses } from "../run/causes.js";
import { isLiveObject, type RunContext } from "../run/run-context.js";
import { AfterRun } from "./after-run.js";
import type { LoopObserver, ObservedRun } from "./loop-observer.js";
import type { RunEnd } from "./run-end.js";
import type { RunGate } from "./run-gate.js";
import { runOnce } from "./run-once.js";
import { type Fencing, RunningRun, type RunScope } from "./running-run.js";
import { thrownError } from "./thrown-error.js";
import { TimeSlice } from "./time-slice.js";

/** Parts of a loop. */
export interface LoopParts {
  readonly context: RunContext;
  readonly queue: WorkQueue;
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

/** Milliseconds for which `consistency: "wait"` holds a key. (KEP-5647) */
const consistencyMs = 5_000;
const noCauses: RunCauses = { forDebug: [] };

/** Takes keys from the queue and reconciles their objects, never two at once for one key. */
export class ControllerLoop {
  readonly #parts: LoopParts;
  readonly #log: Log;
  readonly #causes = new Map<string, Cause[]>();
  readonly #running = new Map<string, RunningRun>();
  readonly #after: AfterRun;
  /** What the last run of a key wrote, for `consistency: "wait"`. */
  readonly #written = new Map<string, (readonly [kind: string, object: Live<KubeObject>])[]>();
  readonly #slice = new TimeSlice(() => this.#pump());
  #concurrency: number;
  /** Runs that count as one of `concurrency`. */
  #active = 0;
  #isOpen = false;
  #stopWatching: () => void = () => {};
  #idle: (() => void)[] = [];

  constructor(parts: LoopParts) {
    const { controller, sink, clock } = parts.context;
    this.#parts = parts;
    this.#log = createLog(sink, clock, { controller: controller.name });
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

  /** Keys that are ready to run; 0 before the start. */
  get ready(): number {
    return this.#isOpen ? this.#parts.queue.depth : 0;
  }

  /** Queues a key. */
  trigger(
    key: string,
    cause: Cause,
    options: { readonly priority?: number; readonly afterMs?: number } = {},
  ): void {
    if (this.#parts.gate?.isOurs(key) === false) {
      return;
    }
    const causes = this.#causes.get(key);
    if (causes === undefined) {
      this.#causes.set(key, [cause]);
    } else if (causes.length < maxCauses) {
      causes.push(cause);
    }
    this.#parts.queue.add(key, options);
  }

  /** Forgets what is known about a key whose object is gone. */
  forget(key: string): void {
    this.#causes.delete(key);
    this.#written.delete(key);
    this.#after.forget(key);
    this.#parts.gate?.forget(key);
  }

  /** Every key with its state, its causes and its last error. */
  snapshot(): (QueueEntry & { readonly causes: readonly Cause[]; readonly error?: Error })[] {
    return this.#parts.queue.snapshot().map((entry) => {
      const error = this.#after.errorOf(entry.key);
      const causes = this.#causes.get(entry.key) ?? [];
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

  #pump(): void {
    const { queue, gate, fence } = this.#parts;
    while (this.#isOpen && this.#active < this.#concurrency) {
      if (this.#slice.mustRest()) {
        return;
      }
      const taken = queue.takeNow();
      if (taken === undefined) {
        return;
      }
      const fencing = gate === undefined ? fence?.() : gate.enter(taken.key);
      if (gate !== undefined && fencing === undefined) {
        // Another replica reconciles it by now.
        this.forget(taken.key);
        queue.done(taken.key);
        continue;
      }
      this.#active++;
      this.#run(taken, fencing);
    }
  }

  #run(taken: TakenKey, fence: Fencing | undefined): void {
    const { context, queue, clock, random, observer } = this.#parts;
    const { settings, name } = context.controller;
    const { key } = taken;
    const attempt = queue.requeues(key) + 1;
    const causes = this.#causes.get(key);
    this.#causes.delete(key);
    const run = new RunningRun(taken, this.#scopeOf(key, fence), clock);
    this.#running.set(key, run);
    const observed: ObservedRun = {
      controller: name,
      key,
      attempt,
      priority: taken.priority,
      waitedMs: taken.waitedMs,
    };
    if (settings.timeoutMs !== Number.POSITIVE_INFINITY) {
      run.limit(clock, settings.timeoutMs, () => this.#timedOut(run, observed));
    }
    const reconcile = () => {
      observer.runStarted?.(observed);
      return runOnce(context, run, {
        attempt,
        isLastAttempt: attempt >= settings.retry.maxAttempts,
        causes: causes === undefined ? noCauses : { forDebug: causes },
        random,
      });
    };
    const ended = withCallScope(run, () =>
      settings.consistency === "wait" && this.#written.has(key)
        ? this.#caughtUp(key, run).then(reconcile)
        : reconcile(),
    );
    void ended.then((end) => this.#ended(run, observed, end));
  }

  #scopeOf(key: string, fence: Fencing | undefined): RunScope {
    const { context } = this.#parts;
    const own = kindId(context.controller.kind.kind);
    return {
      fieldManager: context.controller.name,
      fence,
      onFloating: (reason) => this.#floating(key, reason),
      onWrite: ({ apiVersion, kind, response }) => {
        if (!isLiveObject(response)) {
          return;
        }
        const id = kindId({ apiVersion, kind });
        const cache = context.caches.get(id);
        if (cache === undefined) {
          return;
        }
        const { deletionTimestamp, finalizers = [] } = response.metadata;
        const isGone = deletionTimestamp !== undefined && finalizers.length === 0 && id === own;
        if (isGone) {
          cache.deleted(response);
        } else {
          cache.mutated(response);
        }
        if (context.controller.settings.consistency === "wait") {
          const written = this.#written.get(key);
          if (written === undefined) {
            this.#written.set(key, [[id, response]]);
          } else {
            written.push([id, response]);
          }
        }
      },
    };
  }

  #floating(key: string, reason: unknown): void {
    const error = thrownError(`a promise that the run of ${key} did not await`, reason);
    this.#log.error(`${key}: a promise that its run did not await was rejected`, error);
    this.#parts.onError?.(error);
  }

  async #caughtUp(key: string, { signal }: RunningRun): Promise<void> {
    const written = this.#written.get(key) ?? [];
    this.#written.delete(key);
    const options = { signal, timeoutMs: consistencyMs };
    const waits = written.map(([id, object]) =>
      this.#parts.context.caches.get(id)?.caughtUpTo(object, options),
    );
    for (const wait of await Promise.allSettled(waits)) {
      if (wait.status === "rejected" && !signal.aborted) {
        this.#log.warn(`${key}: the cache did not show an own write in ${consistencyMs} ms`);
        return;
      }
    }
  }

  #timedOut(run: RunningRun, observed: ObservedRun): void {
    const { observer, clock, context } = this.#parts;
    const { abandonAfterMs, timeoutMs } = context.controller.settings;
    observer.timedOut?.(observed);
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

  #ended(run: RunningRun, observed: ObservedRun, end: RunEnd): void {
    const { clock, observer, queue, gate } = this.#parts;
    const { key } = run;
    run.end();
    this.#running.delete(key);
    const isStopped = end.result === "error" && run.isAborted && !run.isTimedOut;
    if (!isStopped) {
      observer.runEnded?.(observed, { ...end, durationMs: monotonicNow(clock) - run.startedAt });
      this.#after.ended(observed, end);
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
    this.#pump();
  }
}
