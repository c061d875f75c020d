import { type ManualClock, manualClock } from "@typekube/test-support/manual-clock";
import {
  createClassicQueue,
  createPriorityQueue,
  exponential,
  type PriorityQueueOptions,
  type QueueEntry,
  type WorkQueue,
} from "../../src/index.js";

/** A queue on a manual clock, with exact delays. */
export interface TestQueue {
  readonly queue: WorkQueue;
  readonly clock: ManualClock;
}

/** Creates a priority queue. */
export function priorityQueue(options: PriorityQueueOptions = {}): TestQueue {
  const clock = manualClock();
  const retryLimiter = exponential({ jitter: 0 });
  return { clock, queue: createPriorityQueue({ clock, retryLimiter, ...options }) };
}

/** Creates a classic queue. */
export function classicQueue(options: PriorityQueueOptions = {}): TestQueue {
  const clock = manualClock();
  const retryLimiter = exponential({ jitter: 0 });
  return { clock, queue: createClassicQueue({ clock, retryLimiter, ...options }) };
}

/** Both flavours, for tests of what they have in common. */
export const flavours = [
  { flavour: "priority", create: priorityQueue },
  { flavour: "classic", create: classicQueue },
] as const;

/** Takes all keys that can be taken, and marks them as done. */
export function takeAll(queue: WorkQueue): string[] {
  const keys = takeRunning(queue, Number.POSITIVE_INFINITY);
  for (const key of keys) {
    queue.done(key);
  }
  return keys;
}

/** Takes up to `count` keys and leaves them running. */
export function takeRunning(queue: WorkQueue, count: number): string[] {
  const keys: string[] = [];
  while (keys.length < count) {
    const taken = queue.takeNow();
    if (taken === undefined) {
      break;
    }
    keys.push(taken.key);
  }
  return keys;
}

/** Returns the state of a key. */
export function stateOf(queue: WorkQueue, key: string): QueueEntry["state"] | "idle" {
  return queue.snapshot().find((entry) => entry.key === key)?.state ?? "idle";
}
