import { isAlreadyExists, isConflict, isNotFound, KubeError } from "@typekube/core";
import { type Clock, monotonicNow } from "@typekube/core/internal";

/** Milliseconds to the next attempt after a request failed, and after somebody else was faster. */
const failureMs = 500;
const overtakenMs = 100;

/** Settings of {@link LeaseRequests}. */
export interface LeaseRequestsSettings {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Reads a Lease that was not as expected. */
  readonly read: (name: string, signal: AbortSignal) => Promise<void>;
  /** Called when a request has ended. */
  readonly onEnd: () => void;
  readonly onError: (error: KubeError) => void;
}

/** The requests of a replica that go on: one at a time for each Lease. */
export class LeaseRequests {
  readonly #settings: LeaseRequestsSettings;
  readonly #pending = new Map<string, Promise<void>>();
  #retryAtMs = Number.NEGATIVE_INFINITY;

  constructor(settings: LeaseRequestsSettings) {
    this.#settings = settings;
  }

  /** Milliseconds until requests may be sent again after a failure; 0 or less when they may. */
  get pauseMs(): number {
    return this.#retryAtMs - monotonicNow(this.#settings.clock);
  }

  /** Sends a request unless one for the same Lease goes on. A failure is reported and not repeated. */
  send(name: string, request: (signal: AbortSignal) => Promise<void>): void {
    if (this.#pending.has(name)) {
      return;
    }
    const { signal, read } = this.#settings;
    const failed = (error: unknown) => {
      this.#pause(failureMs);
      if (!signal.aborted) {
        this.#settings.onError(KubeError.from(error));
      }
    };
    const sent = request(signal)
      .catch((error: unknown) => {
        if (!isOvertaken(error)) {
          return failed(error);
        }
        // The watch is about to show who was faster, unless it lags behind.
        this.#pause(overtakenMs);
        return read(name, signal);
      })
      .catch(failed);
    void this.track(name, sent);
  }

  /** Counts a request that is sent elsewhere. */
  async track(name: string, request: Promise<unknown>): Promise<void> {
    const ended = request.then(() => {
      this.#pending.delete(name);
      this.#settings.onEnd();
    });
    this.#pending.set(name, ended);
    await ended;
  }

  /** Resolves when the requests have ended that go on now. */
  async ended(): Promise<void> {
    await Promise.all(this.#pending.values());
  }

  #pause(ms: number): void {
    this.#retryAtMs = monotonicNow(this.#settings.clock) + ms;
  }
}

/** Returns whether another replica wrote first, which is no failure. */
function isOvertaken(error: unknown): boolean {
  return isConflict(error) || isAlreadyExists(error) || isNotFound(error);
}
