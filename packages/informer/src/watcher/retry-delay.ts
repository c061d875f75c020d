import { isNotFound, type KubeError } from "@typekube/core";
import type { Clock } from "@typekube/core/internal";
import { Backoff } from "./backoff.js";
import type { WatcherSettings } from "./watcher-options.js";

/**
 * Milliseconds, up to twice as many, between two looks for a resource that the server does not serve: who installs a custom kind
 * should not wait for a long back-off to end.
 */
const maxMissingWaitMs = 5_000;

/**
 * Milliseconds of a server's Retry-After that are waited for at most: an informer must outlive a gateway that says days where it means
 * seconds, and asking once in ten minutes harms no server.
 */
export const maxRetryAfterMs: number = 10 * 60_000;

/** How long a watcher waits after failures. */
export class RetryDelay {
  readonly #settings: WatcherSettings;
  readonly #backoff: Backoff;

  constructor(settings: WatcherSettings, clock: Clock) {
    this.#settings = settings;
    this.#backoff = new Backoff(settings.backoff, clock, settings.random);
  }

  /** The server answers: the next wait is the first again, whatever grew it. */
  reset(): void {
    this.#backoff.reset();
  }

  /** The milliseconds to wait after this failure: the back-off, or what the server asks for where that is longer, up to {@link maxRetryAfterMs}. */
  after(cause: KubeError): number {
    const backoffMs = this.#backoff.next();
    const patienceMs = isNotFound(cause)
      ? maxMissingWaitMs * (1 + this.#settings.random())
      : Number.POSITIVE_INFINITY;
    const requestedMs = Math.min(cause.retryAfterMs ?? 0, maxRetryAfterMs);
    return Math.max(Math.min(backoffMs, patienceMs), requestedMs);
  }
}
