import { type Clock, monotonicNow } from "@typekube/core/internal";
import { waitAtMost } from "./wait-at-most.js";

/** Milliseconds that a replica waits for a released shard to be taken before it hands over the next. */
const takeMs = 500;
/** Milliseconds for the runs of one shard, before the next shard is handed over beside it. */
const drainMs = 1_000;
/** Milliseconds after which a replica that stops hands over all shards at once. */
const leaveMs = 8_000;

/** Settings of a {@link HandOver}. */
export interface HandOverSettings {
  readonly clock: Clock;
  /** Ends all waits. */
  readonly signal: AbortSignal;
  /** Ends the work of a shard and releases it. */
  readonly release: (shard: number, why: string) => Promise<void>;
  /** Returns whether a replica holds a shard that was released. */
  readonly isTaken: (shard: number) => boolean;
  /** Called when something else may be done. */
  readonly onChange: () => void;
}

/** Hands over the shards of a replica one after the other, so that only a few are without a holder at a time. */
export class HandOver {
  readonly #settings: HandOverSettings;
  readonly #releasing = new Map<number, Promise<void>>();
  /** Monotonic time at which the next shard may be handed over. */
  #nextMs = Number.NEGATIVE_INFINITY;
  #onNews: (() => void)[] = [];

  constructor(settings: HandOverSettings) {
    this.#settings = settings;
    settings.signal.addEventListener("abort", () => this.news(), { once: true });
  }

  /** Shards whose work ends now, or that are being released. */
  get going(): number[] {
    return [...this.#releasing.keys()];
  }

  /** Milliseconds until the next shard may be handed over; 0 or less when it may. */
  get pauseMs(): number {
    return this.#nextMs - monotonicNow(this.#settings.clock);
  }

  isGoing(shard: number): boolean {
    return this.#releasing.has(shard);
  }

  /** Hands over the first of some shards, unless the last one was neither taken yet nor waited for long enough. */
  one(shards: readonly number[]): void {
    const shard = shards.find((each) => !this.isGoing(each));
    if (shard !== undefined && this.pauseMs <= 0) {
      void this.#one(shard);
    }
  }

  async #one(shard: number): Promise<void> {
    const { clock, signal, onChange } = this.#settings;
    const nextMs = monotonicNow(clock) + drainMs;
    this.#nextMs = nextMs;
    await this.#release(shard, "another replica takes the shard");
    await waitAtMost(clock, takeMs, this.#taken(shard), signal);
    // The runs of a shard may take so long that the next one was begun beside it.
    if (this.#nextMs === nextMs) {
      this.#nextMs = Number.NEGATIVE_INFINITY;
      onChange();
    }
  }

  /**
   * Hands over all shards: in some seconds one after the other, then the rest at once.
   *
   * @param hasHeirs - returns whether there are replicas that will take them.
   */
  async all(shards: readonly number[], hasHeirs: () => boolean): Promise<void> {
    const { clock, signal } = this.#settings;
    const untilMs = monotonicNow(clock) + leaveMs;
    const leftMs = (ms: number) => Math.min(ms, untilMs - monotonicNow(clock));
    for (const shard of shards) {
      const released = this.#release(shard, "the replica stops");
      await waitAtMost(clock, leftMs(drainMs), released, signal);
      if (hasHeirs() && !this.isGoing(shard)) {
        await waitAtMost(clock, leftMs(takeMs), this.#taken(shard), signal);
      }
    }
    await Promise.all(this.#releasing.values());
  }

  /** Looks whether shards were taken. */
  news(): void {
    for (const look of this.#onNews.splice(0)) {
      look();
    }
  }

  #release(shard: number, why: string): Promise<void> {
    let releasing = this.#releasing.get(shard);
    if (releasing === undefined) {
      const { release, onChange } = this.#settings;
      releasing = release(shard, why).finally(() => {
        this.#releasing.delete(shard);
        onChange();
      });
      this.#releasing.set(shard, releasing);
    }
    return releasing;
  }

  /** Resolves when another replica holds a shard. */
  async #taken(shard: number): Promise<void> {
    while (!this.#settings.signal.aborted && !this.#settings.isTaken(shard)) {
      await new Promise<void>((resolve) => this.#onNews.push(resolve));
    }
  }
}
