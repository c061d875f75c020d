import { KubeError } from "@typekube/core";
import type { RateLimiterFactory } from "./rate-limiter.js";

/** Combines rate limiters: the longest of their delays counts. (client-go `TypedMaxOfRateLimiter`) */
export function maxOf(...factories: readonly RateLimiterFactory[]): RateLimiterFactory {
  return (context) => {
    const limiters = factories.map((factory) => factory(context));
    return {
      // Each limiter counts each failure, so all of them are called.
      delayMs: (key) => Math.max(0, ...limiters.map((limiter) => limiter.delayMs(key))),
      forget(key) {
        for (const limiter of limiters) {
          limiter.forget(key);
        }
      },
      requeues: (key) => Math.max(0, ...limiters.map((limiter) => limiter.requeues(key))),
    };
  };
}

/**
 * Limits the delays of a rate limiter. (client-go `TypedWithMaxWaitRateLimiter`)
 *
 * @param maxMs - maximum of the delay in milliseconds.
 * @throws {KubeError} `InvalidArgument` unless `maxMs` is a number of at least 0.
 */
export function maxWait(factory: RateLimiterFactory, maxMs: number): RateLimiterFactory {
  if (!(maxMs >= 0)) {
    throw new KubeError("InvalidArgument", `maxWait(): maxMs is ${maxMs}, but must be at least 0`);
  }
  return (context) => {
    const limiter = factory(context);
    return { ...limiter, delayMs: (key) => Math.min(limiter.delayMs(key), maxMs) };
  };
}
