import { assertOptions, type Clock, monotonicNow } from "@typekube/core/internal";
import { type Cause, causeList, withCause } from "../run/causes.js";
import type { CausedKey, CausedQueue } from "./caused-queue.js";
import { Entry, isReady } from "./entries/entry.js";
import { LinkedList } from "./entries/linked-list.js";
import type { RateLimiter } from "./limiters/rate-limiter.js";
import type { QueueObserver } from "./queue-observer.js";
import { rejectAdd, retryOptions } from "./queue-options.js";
import type { ReadyKeys } from "./ready/ready-keys.js";
import { ReadyCallbacks } from "./ready-callbacks.js";
import { snapshotOf, unfinishedWorkOf } from "./snapshot.js";
import { Takers } from "./takers.js";
import { WaitingKeys } from "./waiting-keys.js";
import type {
  AddOptions,
  CloseOptions,
  QueueEntry,
  RetryOptions,
  SnapshotOptions,
  TakenKey,
  UnfinishedWork,
} from "./work-queue.js";

/** Parts and rules of a queue. */
export interface KeyQueueParts {
  /** `true` for client-go's rules, see {@link WorkQueue.add} and {@link WorkQueue.close}. */
  readonly isClassic: boolean;
  readonly clock: Clock;
  readonly limiter: RateLimiter;
  readonly observer: QueueObserver | undefined;
  readonly ready: ReadyKeys;
}

/** `open -> draining -> closed`, or directly to `closed`. */
type QueueState = "open" | "draining" | "closed";

/**
 * The queue behind {@link WorkQueue}. A key has an {@link Entry} while it is not idle, and the entry is in at most one of
 * the lanes of ready keys and the list of running keys; its delay stands apart. A running key that is added again only
 * gets the flag {@link isReady}, and enters a lane when it is done.
 */
export class KeyQueue implements CausedQueue {
  readonly #parts: KeyQueueParts;
  readonly #clock: Clock;
  readonly #observer: QueueObserver | undefined;
  readonly #entries = new Map<string, Entry>();
  readonly #ready: ReadyKeys;
  readonly #waiting: WaitingKeys;
  readonly #running = new LinkedList<Entry>();
  readonly #takers = new Takers();
  readonly #readyCallbacks = new ReadyCallbacks();
  #state: QueueState = "open";
  /** Resolve the promises of `close()`. */
  #closers: (() => void)[] = [];

  constructor(parts: KeyQueueParts) {
    this.#parts = parts;
    this.#clock = parts.clock;
    this.#observer = parts.observer;
    this.#ready = parts.ready;
    this.#waiting = new WaitingKeys(parts.clock, {
      onDue: (entry) => this.#onDue(entry),
      afterDue: () => this.#offer(),
    });
  }

  get depth(): number {
    return this.#ready.size;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get running(): number {
    return this.#running.size;
  }

  add(key: string, options?: AddOptions, cause?: Cause): void {
    const { priority = 0, afterMs = 0 } = options ?? {};
    if (typeof key !== "string" || !Number.isSafeInteger(priority) || !Number.isFinite(afterMs)) {
      rejectAdd(key, options ?? {});
    }
    this.#schedule(key, priority, afterMs, cause);
  }

  causesOf(key: string): readonly Cause[] {
    return causeList(this.#entries.get(key)?.causes);
  }

  forgetCauses(key: string): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) {
      entry.causes = undefined;
    }
  }

  retry(key: string, options: RetryOptions = {}): number {
    assertOptions("retry()", options, retryOptions);
    const run = this.#entries.get(key)?.run;
    const delayMs = Math.max(this.#parts.limiter.delayMs(key), options.notBeforeMs ?? 0);
    this.#schedule(key, options.priority ?? run?.priority ?? 0, delayMs);
    return delayMs;
  }

  forget(key: string): void {
    this.#parts.limiter.forget(key);
  }

  requeues(key: string): number {
    return this.#parts.limiter.requeues(key);
  }

  remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      return;
    }
    if (entry.wait !== undefined) {
      this.#waiting.remove(entry.wait);
    }
    const freesSlot = this.#dropReady(entry);
    this.#deleteIfIdle(entry);
    if (freesSlot) {
      this.#offer();
    }
    this.#settle();
  }

  takeNow(): CausedKey | undefined {
    const taken = this.#takeNext();
    if (this.#state !== "open") {
      this.#settle();
    }
    return taken;
  }

  take(signal?: AbortSignal): Promise<TakenKey | undefined> {
    if (signal?.aborted) {
      return Promise.reject(signal.reason);
    }
    const taken = this.#takers.size === 0 ? this.takeNow() : undefined;
    if (taken !== undefined) {
      return Promise.resolve(taken);
    }
    return this.#state !== "open" && this.#ready.size === 0
      ? Promise.resolve(undefined)
      : this.#takers.wait(signal);
  }

  done(key: string): void {
    const entry = this.#entries.get(key);
    if (entry?.run === undefined) {
      return;
    }
    this.#observer?.onDone?.(monotonicNow(this.#clock) - entry.run.startedAtMs);
    this.#running.remove(entry);
    entry.run = undefined;
    let hasNews = this.#ready.release(key);
    if ((entry.flags & isReady) !== 0) {
      this.#ready.push(entry);
      hasNews = true;
    } else {
      this.#deleteIfIdle(entry);
    }
    if (hasNews) {
      this.#offer();
    }
    this.#settle();
  }

  onReady(callback: () => void): () => void {
    return this.#readyCallbacks.add(callback);
  }

  close({ drain = false }: CloseOptions = {}): Promise<void> {
    if (this.#state !== "closed") {
      this.#state = drain ? "draining" : "closed";
      this.#dropPending();
    }
    return new Promise((resolve) => {
      this.#closers.push(resolve);
      this.#settle();
    });
  }

  snapshot({ limit = Number.POSITIVE_INFINITY }: SnapshotOptions = {}): QueueEntry[] {
    return snapshotOf(this.#entries.values(), this.#parts, limit);
  }

  unfinishedWork(): UnfinishedWork {
    return unfinishedWorkOf(this.#running.head, monotonicNow(this.#clock));
  }

  #takeNext(): CausedKey | undefined {
    if (this.#ready.size === 0) {
      return undefined;
    }
    const nowMs = monotonicNow(this.#clock);
    const entry = this.#ready.pop(nowMs);
    if (entry === undefined) {
      return undefined;
    }
    const { key, priority } = entry;
    const waitedMs = nowMs - entry.sinceMs;
    const { causes } = entry;
    entry.causes = undefined;
    entry.flags = 0;
    entry.run = { priority, startedAtMs: nowMs };
    this.#running.push(entry);
    this.#observer?.onDepth?.(priority, -1);
    this.#observer?.onTake?.(waitedMs);
    return { key, priority, waitedMs, causes };
  }

  #schedule(key: string, givenPriority: number, afterMs: number, cause?: Cause): void {
    if (this.#state !== "open") {
      return;
    }
    const priority = this.#parts.isClassic ? 0 : givenPriority;
    const nowMs = monotonicNow(this.#clock);
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = new Entry(key, priority, nowMs);
      this.#entries.set(key, entry);
    }
    if (cause !== undefined) {
      entry.causes = withCause(entry.causes, cause);
    }
    if (afterMs > 0) {
      this.#observer?.onRetry?.();
      this.#delay(entry, priority, nowMs + afterMs);
    } else {
      this.#addNow(entry, priority, nowMs);
    }
  }

  #delay(entry: Entry, priority: number, readyAtMs: number): void {
    if ((entry.flags & isReady) !== 0 && !this.#parts.isClassic) {
      this.#raise(entry, priority);
    } else if (entry.wait === undefined) {
      entry.priority = priority;
      this.#waiting.add(entry, readyAtMs);
    } else {
      if (priority > entry.priority) {
        entry.priority = priority;
        this.#waiting.moveBack(entry.wait);
      }
      this.#waiting.advance(entry.wait, readyAtMs);
    }
  }

  #addNow(entry: Entry, priority: number, nowMs: number): void {
    if ((entry.flags & isReady) !== 0) {
      this.#raise(entry, priority);
      return;
    }
    if (entry.wait !== undefined && !this.#parts.isClassic) {
      this.#waiting.remove(entry.wait);
      entry.priority = Math.max(entry.priority, priority);
    } else {
      entry.priority = priority;
    }
    this.#makeReady(entry, nowMs);
    if (entry.run === undefined) {
      this.#offer();
    }
  }

  /** Called when the delay of a key has passed. */
  #onDue(entry: Entry): void {
    if ((entry.flags & isReady) === 0) {
      this.#makeReady(entry, monotonicNow(this.#clock));
    }
  }

  #makeReady(entry: Entry, nowMs: number): void {
    entry.flags = isReady;
    entry.sinceMs = nowMs;
    this.#observer?.onAdd?.(entry.priority);
    this.#observer?.onDepth?.(entry.priority, 1);
    if (entry.run === undefined) {
      this.#ready.push(entry);
    }
  }

  /** Applies the priority of a further add to a ready key. */
  #raise(entry: Entry, priority: number): void {
    if (priority <= entry.priority) {
      return;
    }
    this.#observer?.onDepth?.(entry.priority, -1);
    this.#observer?.onDepth?.(priority, 1);
    if (entry.run === undefined) {
      this.#ready.raise(entry, priority);
    } else {
      entry.priority = priority;
    }
  }

  /** Gives ready keys to the takers, or calls the callbacks. */
  #offer(): void {
    while (this.#takers.size > 0) {
      const taken = this.#takeNext();
      if (taken === undefined) {
        return;
      }
      this.#takers.resolveFirst(taken);
    }
    if (this.#ready.size > 0) {
      this.#readyCallbacks.call();
    }
  }

  /** Drops the ready state of a key. Returns true if this lets another key run. */
  #dropReady(entry: Entry): boolean {
    if ((entry.flags & isReady) === 0) {
      return false;
    }
    this.#observer?.onDepth?.(entry.priority, -1);
    const freesSlot = entry.run === undefined && this.#ready.remove(entry);
    entry.flags = 0;
    return freesSlot;
  }

  #deleteIfIdle(entry: Entry): void {
    if (entry.flags === 0 && entry.wait === undefined && entry.run === undefined) {
      this.#entries.delete(entry.key);
    }
  }

  /** Drops what a closed queue does not hand out: delayed keys, and those that are ready where the rules say so. */
  #dropPending(): void {
    const dropsReady = this.#state === "closed" && !this.#parts.isClassic;
    for (const entry of this.#entries.values()) {
      if (entry.wait !== undefined) {
        this.#waiting.remove(entry.wait);
      }
      if (dropsReady) {
        this.#dropReady(entry);
      }
      this.#deleteIfIdle(entry);
    }
  }

  /** Ends the waits of takers and of `close()` that a closed queue can end by now. */
  #settle(): void {
    if (this.#state === "open") {
      return;
    }
    const isEmpty = this.#ready.size === 0;
    while (isEmpty && this.#takers.size > 0) {
      this.#takers.resolveFirst(undefined);
    }
    const isIdle = isEmpty && this.#running.size === 0;
    if (isIdle || (this.#state === "closed" && this.#parts.isClassic)) {
      const closers = this.#closers;
      this.#closers = [];
      for (const resolve of closers) {
        resolve();
      }
    }
  }
}
