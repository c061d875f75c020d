import { microTime } from "@typekube/core";
import type { Clock } from "@typekube/core/internal";
import type { LeaseClaim, LeaseRecord } from "./lease-record.js";

/** Attempts to acquire that are remembered. Only the last few can still arrive at the server. */
const maxClaims = 16;

/** Settings of {@link Claims}. */
export interface ClaimsSettings {
  readonly clock: Clock;
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly isCoordinated: boolean;
}

/**
 * The writes of this candidate, by which it recognizes its own lease. The identity alone does not suffice: another
 * process may have the same one by mistake, or be a former incarnation that still runs. A lease is own if its
 * `acquireTime` comes from an attempt of this candidate, successful or not, since a response may be lost.
 */
export class Claims {
  readonly #settings: ClaimsSettings;
  readonly #acquireTimes = new Set<string>();

  constructor(settings: ClaimsSettings) {
    this.#settings = settings;
  }

  /** Returns what to write now. */
  current(): LeaseClaim {
    const { clock, identity, leaseDurationMs, labels } = this.#settings;
    return { identity, leaseDurationMs, labels, now: microTime(undefined, clock) };
  }

  /** Remembers an attempt to acquire. */
  remember({ now }: LeaseClaim): void {
    this.#acquireTimes.delete(now);
    this.#acquireTimes.add(now);
    for (const oldest of this.#acquireTimes) {
      if (this.#acquireTimes.size <= maxClaims) {
        break;
      }
      this.#acquireTimes.delete(oldest);
    }
  }

  /** Returns whether this candidate holds a lease. In a coordinated election the API server has written its name. */
  isOwn({ holder, acquireTime }: LeaseRecord): boolean {
    const { identity, isCoordinated } = this.#settings;
    return holder === identity && (isCoordinated || this.#acquireTimes.has(acquireTime));
  }
}
