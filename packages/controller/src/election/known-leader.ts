import { type Clock, monotonicNow } from "@typekube/core/internal";

/** The leader as a candidate last saw it renew its lease. */
export class KnownLeader {
  readonly #clock: Clock;
  readonly #leaseDurationMs: number;
  readonly #onLeader: (identity: string) => void;
  #reported = "";
  #seenMs = Number.NEGATIVE_INFINITY;

  /** @param onLeader - called when another leader is seen. */
  constructor(clock: Clock, leaseDurationMs: number, onLeader: (identity: string) => void) {
    this.#clock = clock;
    this.#leaseDurationMs = leaseDurationMs;
    this.#onLeader = onLeader;
  }

  /** `true` until nobody has renewed the lease for twice its duration. */
  get isKnown(): boolean {
    return monotonicNow(this.#clock) - this.#seenMs <= 2 * this.#leaseDurationMs;
  }

  /** Takes in a renewal. */
  renewed(holder: string): void {
    this.#seenMs = monotonicNow(this.#clock);
    if (holder !== this.#reported) {
      this.#reported = holder;
      this.#onLeader(holder);
    }
  }
}
