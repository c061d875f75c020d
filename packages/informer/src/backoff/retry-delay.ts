import { isNotFound, type KubeError } from "@typekube/core";
import type { Clock, Random } from "@typekube/core/internal";
import { Backoff, type BackoffOptions } from "./backoff.js";

/**
 * Maximum back-off in milliseconds, up to doubled at random, for a resource that the server does not serve: whenever a
 * custom kind is installed, its informers should start soon.
 */
const maxMissingWaitMs = 5_000;

/**
 * Maximum of a server's Retry-After in milliseconds. An informer must survive a gateway that sends days instead of
 * seconds, and one request in ten minutes harms no server.
 */
export const maxRetryAfterMs: number = 10 * 60_000;

/** Settings of a watcher that decide its delays. */
export interface DelaySettings {
  readonly backoff: BackoffOptions;
  readonly random: Random;
}

/** Computes the delays of a watcher after failures. */
export class RetryDelay {
  readonly #settings: DelaySettings;
  readonly #backoff: Backoff;

  constructor(settings: DelaySettings, clock: Clock) {
    this.#settings = settings;
    this.#backoff = new Backoff(settings.backoff, clock, settings.random);
  }

  /** Resets the back-off: the server responds, so the next delay is the first again. */
  reset(): void {
    this.#backoff.reset();
  }

  /**
   * Returns the milliseconds to wait after this failure: the back-off, or the server's Retry-After where that is
   * longer, up to {@link maxRetryAfterMs}.
   */
  after(cause: KubeError): number {
    const backoffMs = this.#backoff.next();
    const patienceMs = isNotFound(cause)
      ? maxMissingWaitMs * (1 + this.#settings.random())
      : Number.POSITIVE_INFINITY;
    const requestedMs = Math.min(cause.retryAfterMs ?? 0, maxRetryAfterMs);
    return Math.max(Math.min(backoffMs, patienceMs), requestedMs);
  }
}
