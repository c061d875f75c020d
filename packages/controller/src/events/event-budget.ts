import { type Clock, monotonicNow } from "@typekube/core/internal";
import { BoundedMap } from "../cache/bounded-map.js";

/** Keys whose budgets are remembered. (client-go `record/events_cache.go` maxLruCacheEntries) */
const maxKeys = 4_096;

/** A budget per key: a number of events at once, and one more per interval. */
export class EventBudget {
  readonly #clock: Clock;
  readonly #burst: number;
  readonly #refillMs: number;
  readonly #buckets = new BoundedMap<{ tokens: number; at: number }>(maxKeys);

  /** @param refillMs - milliseconds after which a used event may be recorded again. */
  constructor(clock: Clock, burst: number, refillMs: number) {
    this.#clock = clock;
    this.#burst = burst;
    this.#refillMs = refillMs;
  }

  /** Takes one event from the budget of a key; returns false when it is used up. */
  take(key: string): boolean {
    const now = monotonicNow(this.#clock);
    const bucket = this.#buckets.get(key) ?? { tokens: this.#burst, at: now };
    const tokens = Math.min(this.#burst, bucket.tokens + (now - bucket.at) / this.#refillMs);
    const isLeft = tokens >= 1;
    this.#buckets.set(key, { tokens: isLeft ? tokens - 1 : tokens, at: now });
    return isLeft;
  }
}
