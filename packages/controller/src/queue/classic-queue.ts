import { assertOptions, systemClock } from "@typekube/core/internal";
import type { CausedQueue } from "./caused-queue.js";
import { KeyQueue } from "./key-queue.js";
import { bucket } from "./limiters/bucket.js";
import { maxOf } from "./limiters/combined.js";
import { exponential } from "./limiters/exponential.js";
import type { RateLimiterFactory } from "./limiters/rate-limiter.js";
import { type ClassicQueueOptions, classicQueueOptions } from "./queue-options.js";
import { ReadyKeys } from "./ready/ready-keys.js";
import type { WorkQueue } from "./work-queue.js";

/** The delays of client-go's `DefaultTypedControllerRateLimiter`. */
const defaultRetryLimiter: RateLimiterFactory = maxOf(exponential({ jitter: 0 }), bucket(10, 100));

/**
 * Creates a queue with the semantics of client-go's `workqueue`: first in, first out, delays apart from ready keys.
 * {@link WorkQueue.add} and {@link WorkQueue.close} say where it differs from the priority queue.
 *
 * @throws {KubeError} `InvalidArgument` if an option is invalid.
 */
export function createClassicQueue(options: ClassicQueueOptions = {}): WorkQueue {
  return classicQueue(options);
}

/** {@link createClassicQueue} with the causes of keys. */
export function classicQueue(options: ClassicQueueOptions): CausedQueue {
  assertOptions("createClassicQueue()", options, classicQueueOptions);
  const { clock = systemClock, random = Math.random } = options;
  const { retryLimiter = defaultRetryLimiter } = options;
  return new KeyQueue({
    isClassic: true,
    clock,
    limiter: retryLimiter({ clock, random }),
    observer: options.observer,
    ready: new ReadyKeys({ agingMs: Number.POSITIVE_INFINITY }),
  });
}
