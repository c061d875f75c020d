import { type Clock, monotonicNow } from "@typekube/core/internal";
import type { Entry, Wait } from "./entries/entry.js";
import { IndexedHeap } from "./entries/indexed-heap.js";

/** Longest timer in milliseconds. Node fires a timer of more than 2^31 - 1 ms at once; a longer delay takes several. */
const longestStepMs = 24 * 60 * 60 * 1000;

/** Keys that become ready in one timer callback, which blocks the event loop. */
const keysPerCallback = 10_000;

/** Receives the keys whose delay has passed. */
export interface DueHandler {
  /** Called with each of them, in order. */
  readonly onDue: (entry: Entry) => void;
  /** Called after the last of several. */
  readonly afterDue: () => void;
}

/** The keys that become ready later, with one timer for the first of them. */
export class WaitingKeys {
  readonly #heap = new IndexedHeap<Wait>(isBefore);
  readonly #clock: Clock;
  readonly #handler: DueHandler;
  #nextOrder = 0;
  #cancelTimer: (() => void) | undefined;
  /** Moment at which the timer fires, or earlier; on the monotonic clock. */
  #timerAtMs = 0;

  constructor(clock: Clock, handler: DueHandler) {
    this.#clock = clock;
    this.#handler = handler;
  }

  get size(): number {
    return this.#heap.size;
  }

  add(entry: Entry, readyAtMs: number): void {
    const wait: Wait = { entry, readyAtMs, order: this.#nextOrder++, heapIndex: -1 };
    entry.wait = wait;
    this.#heap.push(wait);
    this.#arm();
  }

  /** Lets a waiting key become ready earlier; a later moment is ignored. */
  advance(wait: Wait, readyAtMs: number): void {
    if (readyAtMs < wait.readyAtMs) {
      wait.readyAtMs = readyAtMs;
      this.#heap.update(wait);
      this.#arm();
    }
  }

  /** Moves a waiting key behind the others of its moment, as after a change of its priority. */
  moveBack(wait: Wait): void {
    wait.order = this.#nextOrder++;
    this.#heap.update(wait);
  }

  remove(wait: Wait): void {
    wait.entry.wait = undefined;
    this.#heap.remove(wait);
    if (this.#heap.size === 0) {
      this.#disarm();
    }
  }

  #disarm(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  /** Sets the timer, unless one is set that fires early enough. A timer that fires too early sets the next one. */
  #arm(): void {
    const head = this.#heap.peek();
    if (head === undefined) {
      return;
    }
    if (this.#cancelTimer !== undefined) {
      if (this.#timerAtMs <= head.readyAtMs) {
        return;
      }
      this.#disarm();
    }
    const nowMs = monotonicNow(this.#clock);
    // Whole milliseconds: a fraction could round to a timer that fires before the moment, again and again.
    const delayMs = Math.min(Math.max(Math.ceil(head.readyAtMs - nowMs), 0), longestStepMs);
    this.#timerAtMs = Math.min(head.readyAtMs, nowMs + longestStepMs);
    this.#cancelTimer = this.#clock.schedule(delayMs, () => this.#fire());
  }

  #fire(): void {
    this.#cancelTimer = undefined;
    const nowMs = monotonicNow(this.#clock);
    let count = 0;
    for (let wait = this.#heap.peek(); wait !== undefined; wait = this.#heap.peek()) {
      if (wait.readyAtMs > nowMs || count === keysPerCallback) {
        break;
      }
      this.#heap.remove(wait);
      wait.entry.wait = undefined;
      this.#handler.onDue(wait.entry);
      count++;
    }
    this.#arm();
    if (count > 0) {
      this.#handler.afterDue();
    }
  }
}

function isBefore(a: Wait, b: Wait): boolean {
  return a.readyAtMs === b.readyAtMs ? a.order < b.order : a.readyAtMs < b.readyAtMs;
}
