import { assertOptions, systemClock } from "@typekube/core/internal";
import type { CausedQueue } from "./caused-queue.js";
import { KeyQueue } from "./key-queue.js";
import { exponential } from "./limiters/exponential.js";
import { type PriorityQueueOptions, priorityQueueOptions } from "./queue-options.js";
import { ReadyKeys } from "./ready/ready-keys.js";
import type { WorkQueue } from "./work-queue.js";

/** Milliseconds after which a ready key of negative priority counts as one of priority 0. */
const defaultAgingMs = 60_000;

/**
 * Creates the queue that controllers use by default: keys of a higher priority are taken first. The semantics are those
 * of controller-runtime's `priorityqueue`, with aging, fair groups and group concurrency added.
 *
 * @throws {KubeError} `InvalidArgument` if an option is invalid.
 */
export function createPriorityQueue(options: PriorityQueueOptions = {}): WorkQueue {
  return priorityQueue(options);
}

/** {@link createPriorityQueue} with the causes of keys. */
export function priorityQueue(options: PriorityQueueOptions): CausedQueue {
  assertOptions("createPriorityQueue()", options, priorityQueueOptions);
  const {
    fairBy,
    clock = systemClock,
    random = Math.random,
    retryLimiter = exponential(),
  } = options;
  return new KeyQueue({
    isClassic: false,
    clock,
    limiter: retryLimiter({ clock, random }),
    observer: options.observer,
    ready: new ReadyKeys({
      agingMs: options.agingMs ?? defaultAgingMs,
      fairBy: typeof fairBy === "function" ? { by: fairBy } : fairBy,
      groupConcurrency: options.groupConcurrency,
    }),
  });
}
