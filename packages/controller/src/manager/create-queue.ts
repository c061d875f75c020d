import type { Clock, Random } from "@typekube/core/internal";
import type { Controller } from "../definition/controller.js";
import type { CausedQueue } from "../queue/caused-queue.js";
import { classicQueue } from "../queue/classic-queue.js";
import { bucket } from "../queue/limiters/bucket.js";
import { maxOf } from "../queue/limiters/combined.js";
import { exponential } from "../queue/limiters/exponential.js";
import { priorityQueue } from "../queue/priority-queue.js";
import type { QueueObserver } from "../queue/queue-observer.js";

/** Retries per second of all keys together, and at once, in the classic queue. (client-go's BucketRateLimiter) */
const bucketPerSecond = 10;
const bucketBurst = 100;

/** Creates the queue of a controller. */
export function createQueue(
  flavour: "classic" | "priority",
  { settings: { retry, queue } }: Controller,
  clock: Clock,
  random: Random,
  observer?: QueueObserver | undefined,
): CausedQueue {
  const { baseMs, maxMs, jitter } = retry;
  const perKey = exponential({ baseMs, maxMs, jitter });
  if (flavour === "classic") {
    const retryLimiter = maxOf(perKey, bucket(bucketPerSecond, bucketBurst));
    return classicQueue({ clock, random, retryLimiter, observer });
  }
  return priorityQueue({ ...queue, clock, random, retryLimiter: perKey, observer });
}
