import type { Lease } from "@typekube/api/coordination/v1";
import { KubeError } from "@typekube/core";
import type { Clock } from "@typekube/core/internal";
import type { WrittenLease } from "../election/acquire-lease.js";
import { Bell } from "../election/bell.js";
import type { Claims } from "../election/claims.js";
import type { ElectionTimings } from "../election/elector-options.js";
import type { ObjectStore } from "../election/object-store.js";
import type { PassedTime } from "../election/passed-time.js";
import { releaseLease } from "../election/release-lease.js";
import { isLossLikely, type RenewSettings, renewLease } from "../election/renew-lease.js";
import { Term } from "../election/term.js";

/** Settings of a {@link HeldShard}. */
export interface HeldShardSettings extends ElectionTimings {
  readonly store: ObjectStore<Lease>;
  readonly clock: Clock;
  readonly time: PassedTime;
  readonly claims: Claims;
  /** Name and namespace of the Lease. */
  readonly name: string;
  readonly namespace: string;
  /** Called once when the shard is lost, not when it is released. */
  readonly onLost: (error: KubeError) => void;
  readonly onError: (error: KubeError) => void;
}

/** A shard that this replica holds: renews its Lease until the shard is lost or released. */
export class HeldShard {
  readonly term: Term;
  readonly #settings: HeldShardSettings;
  readonly #renewing: RenewSettings;
  readonly #bell: Bell;
  readonly #done: Promise<void>;
  /** Passed time of the next renewal. */
  #renewAtMs: number;
  #isSuspect = false;

  constructor(settings: HeldShardSettings, { lease, sentAt }: WrittenLease) {
    const { clock, name, namespace, retryMs } = settings;
    this.#settings = settings;
    this.#renewing = {
      ...settings,
      isCoordinated: false,
      onRead: () => {},
      onSlowPath: () => {},
    };
    this.#bell = new Bell(clock);
    const subject = `the lease ${namespace}/${name}`;
    this.term = new Term({ ...settings, subject }, lease, sentAt);
    this.term.signal.addEventListener("abort", () => this.#bell.ring(), { once: true });
    this.#renewAtMs = sentAt + retryMs;
    this.#done = this.#run();
  }

  /** Renews early if a Lease, as the watch shows it, may have another holder. */
  see(lease: Lease | undefined): void {
    if (isLossLikely(this.#renewing, lease)) {
      this.#isSuspect = true;
      this.#bell.ring();
    }
  }

  /**
   * Releases the Lease, so that another replica takes it at once. The work of the shard must have ended.
   *
   * @returns `false` when the Lease had to be left to expire.
   */
  async release(why: string): Promise<boolean> {
    this.stop(why);
    const { store, clock, claims, renewDeadlineMs, onError } = this.#settings;
    const isReleased = await releaseLease({
      store,
      clock,
      isOwn: (record) => claims.isOwn(record),
      limitMs: renewDeadlineMs,
      onError,
    });
    await this.#done;
    return isReleased;
  }

  /** Ends the renewals and closes the fence. The Lease expires. */
  stop(why: string): void {
    this.term.finish(why);
  }

  /** Resolves when no request goes on any more, after the shard was lost or stopped. */
  get ended(): Promise<void> {
    return this.#done;
  }

  async #run(): Promise<void> {
    const { time, retryMs, onError } = this.#settings;
    const { term } = this;
    while (term.isHeld) {
      await this.#bell.wait(this.#renewAtMs - time.now());
      const isSuspect = this.#isSuspect;
      this.#isSuspect = false;
      if (!term.isHeld || (!isSuspect && time.now() < this.#renewAtMs)) {
        continue;
      }
      this.#renewAtMs = time.now() + retryMs;
      try {
        const written = await renewLease(this.#renewing, term, isSuspect);
        if (written !== undefined) {
          term.renewed(written.lease, written.sentAt);
          this.#renewAtMs = written.sentAt + retryMs;
        }
      } catch (error) {
        if (term.isHeld) {
          onError(KubeError.from(error));
        }
      }
    }
  }
}
