import type { Live } from "@typekube/api";
import type { Lease } from "@typekube/api/coordination/v1";
import { isAlreadyExists, isConflict, isNotFound, KubeError, microTime } from "@typekube/core";
import { type Clock, sleep } from "@typekube/core/internal";
import { Bell } from "../election/bell.js";
import type { ElectionTimings } from "../election/elector-options.js";
import { acquiredLease, newLease, renewedLease } from "../election/lease-record.js";
import type { PassedTime } from "../election/passed-time.js";
import type { LeaseStore } from "./lease-store.js";

/** Settings of a {@link Membership}. */
export interface MembershipSettings extends ElectionTimings {
  readonly store: LeaseStore;
  readonly clock: Clock;
  readonly time: PassedTime;
  readonly identity: string;
  /** Name and namespace of the Lease. */
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly onLease: (lease: Live<Lease>) => void;
  readonly onError: (error: KubeError) => void;
}

/** Milliseconds between two attempts to leave after a failure. */
const leaveRetryMs = 250;

/** The Lease by which the other replicas see that this one works, and how many share the shards. */
export class Membership {
  readonly #settings: MembershipSettings;
  readonly #bell: Bell;
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;
  #lease: Live<Lease> | undefined;
  /** Passed times of the last renewal and of the first one. */
  #renewedAt = Number.NEGATIVE_INFINITY;
  #joinedAt = Number.POSITIVE_INFINITY;

  constructor(settings: MembershipSettings) {
    this.#settings = settings;
    this.#bell = new Bell(settings.clock);
    this.#done = this.#run();
  }

  /** `true` while the others count this replica. */
  get isValid(): boolean {
    const { time, renewDeadlineMs } = this.#settings;
    return time.now() - this.#renewedAt < renewDeadlineMs;
  }

  /** Milliseconds since this replica has become a member; negative infinity before. */
  get ageMs(): number {
    return this.#settings.time.now() - this.#joinedAt;
  }

  /** Renews at once: the Lease may be gone. */
  check(): void {
    this.#bell.ring();
  }

  /** Ends the renewals. */
  async stop(): Promise<void> {
    this.#stop.abort(new KubeError("Closed", "the replica stops"));
    this.#bell.ring();
    await this.#done;
  }

  /** Deletes the Lease, so that the others share the shards without this replica. Takes at most the renew deadline. */
  async leave(): Promise<void> {
    await this.stop();
    const { store, clock, name, onError, renewDeadlineMs } = this.#settings;
    const late = new AbortController();
    const cancel = clock.schedule(renewDeadlineMs, () =>
      late.abort(new KubeError("DeadlineExceeded", `${name} was not deleted in time`)),
    );
    while (!late.signal.aborted) {
      try {
        await store.delete(name, late.signal);
        break;
      } catch (error) {
        if (isNotFound(error)) {
          break;
        }
        onError(KubeError.from(error));
        await sleep(clock, leaveRetryMs, late.signal).catch(() => {});
      }
    }
    cancel();
  }

  async #run(): Promise<void> {
    const { time, retryMs, onError } = this.#settings;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const sentAt = time.now();
      try {
        const lease = await this.#write(signal);
        this.#lease = lease;
        this.#renewedAt = sentAt;
        this.#joinedAt = Math.min(this.#joinedAt, time.now());
        this.#settings.onLease(lease);
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        const isChanged = isConflict(error) || isNotFound(error) || isAlreadyExists(error);
        if (isChanged && this.#lease !== undefined) {
          // Deleted, or written by another: the next attempt reads it first.
          this.#lease = undefined;
          continue;
        }
        onError(KubeError.from(error));
      }
      await this.#bell.wait(sentAt + retryMs - time.now());
    }
  }

  async #write(signal: AbortSignal): Promise<Live<Lease>> {
    const { store, clock, identity, labels, leaseDurationMs, name, namespace } = this.#settings;
    const claim = { identity, leaseDurationMs, labels, now: microTime(undefined, clock) };
    if (this.#lease !== undefined) {
      return store.update(renewedLease(this.#lease, claim), signal);
    }
    const found = await store.get(name, signal);
    return found === undefined
      ? store.create(newLease(name, namespace, claim), signal)
      : store.update(acquiredLease(found, claim), signal);
  }
}
