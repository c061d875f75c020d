import type { KubeObject } from "@typekube/api";
import type { FollowEvent } from "../events/follow-event.js";
import { foldUnread } from "./fold-unread.js";

/** Events that may wait for a reader before those of each object are coalesced into the last. */
export const defaultMaxBufferedEvents = 1_000;

/** Objects with changes that may wait for a reader. Beyond this, the changes are dropped and a new snapshot follows. */
export const defaultMaxBufferedObjects = 10_000;

/** Limits of the events that may wait for a reader. */
export interface FollowBufferLimits {
  readonly maxBufferedEvents: number;
  readonly maxBufferedObjects: number;
}

/**
 * The unread events of a reader, in order. A reader that keeps up gets each event as it came. Beyond a limit they are
 * coalesced (`fold-unread.ts`), again each time their number has doubled, so at most twice as many events wait as there
 * are objects.
 */
export class FollowBuffer<T extends KubeObject> {
  readonly #limits: FollowBufferLimits;
  #events: (FollowEvent<T> | undefined)[] = [];
  #head = 0;
  #foldAt: number;
  /** `true` while the reader is inside a snapshot. */
  #isInSnapshot = true;

  constructor(limits: FollowBufferLimits) {
    this.#limits = limits;
    this.#foldAt = limits.maxBufferedEvents;
  }

  /** Number of unread events. */
  get length(): number {
    return this.#events.length - this.#head;
  }

  /** Returns true when `push` would coalesce the unread events with this many more. */
  wouldFold(more: number): boolean {
    return this.length > 0 && this.length + more > this.#foldAt;
  }

  /** @returns `true` when changes of more objects are unread than allowed, even when coalesced. */
  push(events: readonly FollowEvent<T>[]): boolean {
    const wasEmpty = this.length === 0;
    for (const event of events) {
      this.#events.push(event);
    }
    if (wasEmpty) {
      // A large group that arrived together does not mean that the reader is slow.
      this.#foldAfter(events.length);
      return false;
    }
    if (this.length <= this.#foldAt) {
      return false;
    }
    const folded = foldUnread(this.#unread(), this.#isInSnapshot);
    this.#reset(folded.events);
    return folded.changes > this.#limits.maxBufferedObjects;
  }

  /** Removes and returns the first event. */
  shift(): FollowEvent<T> | undefined {
    const event = this.#events[this.#head];
    if (event === undefined) {
      return undefined;
    }
    if (event.type === "gap" || event.type === "synced") {
      this.#isInSnapshot = event.type === "gap";
    }
    // Release events that were read, even while others wait behind them.
    this.#events[this.#head++] = undefined;
    if (this.#head === this.#events.length) {
      this.#reset([]);
    } else if (this.#head > defaultMaxBufferedEvents && this.#head * 2 > this.#events.length) {
      this.#events = this.#unread();
      this.#head = 0;
    }
    return event;
  }

  /** Drops the unread changes. Keeps a snapshot, so that a slow reader can complete one. */
  dropChanges(): void {
    const unread = this.#unread();
    const end = unread.findLastIndex(({ type }) => type === "gap" || type === "synced");
    this.#reset(unread.slice(0, end + 1));
  }

  #unread(): FollowEvent<T>[] {
    return this.#events.slice(this.#head) as FollowEvent<T>[];
  }

  #reset(events: FollowEvent<T>[]): void {
    this.#events = events;
    this.#head = 0;
    this.#foldAfter(events.length);
  }

  #foldAfter(length: number): void {
    this.#foldAt = Math.max(this.#limits.maxBufferedEvents, 2 * length);
  }
}
