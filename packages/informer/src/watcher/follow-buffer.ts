import type { KubeObject } from "@typekube/api";
import { foldUnread } from "./fold-unread.js";
import type { FollowEvent } from "./follow-event.js";

/** Events that may wait for a reader before those of one object are folded into the last. */
export const defaultMaxBufferedEvents = 1_000;

/** Objects whose changes may wait for a reader; beyond them they are given up for a new picture. */
export const defaultMaxBufferedObjects = 10_000;

/** How much may wait for a reader. */
export interface FollowBufferLimits {
  readonly maxBufferedEvents: number;
  readonly maxBufferedObjects: number;
}

/**
 * The events that a reader has not taken yet, in order. A reader that keeps up gets each as it came. Beyond a limit they are folded
 * (`fold-unread.ts`), each time as many have come again, so at most twice as many wait as there are objects.
 */
export class FollowBuffer<T extends KubeObject> {
  readonly #limits: FollowBufferLimits;
  #events: (FollowEvent<T> | undefined)[] = [];
  #head = 0;
  #foldAt: number;
  /** Whether a picture is under way for the reader. */
  #isInSnapshot = true;

  constructor(limits: FollowBufferLimits) {
    this.#limits = limits;
    this.#foldAt = limits.maxBufferedEvents;
  }

  /** How many wait. */
  get length(): number {
    return this.#events.length - this.#head;
  }

  /** Whether so many more would be folded with those that wait. */
  wouldFold(more: number): boolean {
    return this.length > 0 && this.length + more > this.#foldAt;
  }

  /** @returns whether, folded as they are, the changes of more objects wait than may. */
  push(events: readonly FollowEvent<T>[]): boolean {
    const wasEmpty = this.length === 0;
    for (const event of events) {
      this.#events.push(event);
    }
    if (wasEmpty) {
      // A large group that arrived together is no sign of a slow reader.
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

  /** Takes the first out. */
  shift(): FollowEvent<T> | undefined {
    const event = this.#events[this.#head];
    if (event === undefined) {
      return undefined;
    }
    if (event.type === "gap" || event.type === "synced") {
      this.#isInSnapshot = event.type === "gap";
    }
    // What was read must not stay in memory because others wait behind it.
    this.#events[this.#head++] = undefined;
    if (this.#head === this.#events.length) {
      this.#reset([]);
    } else if (this.#head > defaultMaxBufferedEvents && this.#head * 2 > this.#events.length) {
      this.#events = this.#unread();
      this.#head = 0;
    }
    return event;
  }

  /** Gives up the changes that wait. A picture stays: who reads slowly must come to the end of one some day. */
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
