import type { Lease } from "@typekube/api/coordination/v1";
import type { KubeError } from "@typekube/core";
import type { Clock } from "@typekube/core/internal";
import type { WrittenLease } from "../election/acquire-lease.js";
import { Claims } from "../election/claims.js";
import { acquiredLease, readRecord } from "../election/lease-record.js";
import type { ObjectStore } from "../election/object-store.js";
import type { PassedTime } from "../election/passed-time.js";
import { releaseLease } from "../election/release-lease.js";
import type { LeaseBoard } from "./lease-board.js";
import { type LeaseChange, type LeaseStore, storeOfLease } from "./lease-store.js";
import { freeShardLease, type LeaseNames, labelsOf, layoutLease } from "./shard-layout.js";
import type { ShardsSettings } from "./shards-options.js";

/** Settings of {@link ShardLeases}. */
export interface ShardLeasesSettings extends ShardsSettings {
  readonly namespace: string;
  readonly identity: string;
  readonly store: LeaseStore;
  readonly clock: Clock;
  readonly time: PassedTime;
  readonly onError: (error: KubeError) => void;
}

/** Writes of one replica to the Leases of its sharding. Results go to the board. */
export class ShardLeases {
  readonly #settings: ShardLeasesSettings;
  readonly #names: LeaseNames;
  readonly #board: LeaseBoard;
  readonly #see: (change: LeaseChange) => void;
  readonly #claims = new Map<number, Claims>();

  constructor(
    settings: ShardLeasesSettings,
    names: LeaseNames,
    board: LeaseBoard,
    see: (change: LeaseChange) => void,
  ) {
    this.#settings = settings;
    this.#names = names;
    this.#board = board;
    this.#see = see;
  }

  /** Returns the writes of this replica to the Lease of a shard. */
  claimsOf(shard: number): Claims {
    let claims = this.#claims.get(shard);
    if (claims === undefined) {
      const { clock, identity, leaseDurationMs, name } = this.#settings;
      const labels = labelsOf(name, this.#settings);
      claims = new Claims({ clock, identity, leaseDurationMs, labels, isCoordinated: false });
      this.#claims.set(shard, claims);
    }
    return claims;
  }

  /** Returns whether the Lease of a shard, as last seen, comes from a write of this replica. */
  isClaimed(shard: number): boolean {
    const lease = this.#board.get(this.#names.shard(shard))?.lease;
    return lease !== undefined && this.claimsOf(shard).isOwn(readRecord(lease));
  }

  /** Returns the store of the Lease of a shard. */
  storeOf(shard: number): ObjectStore<Lease> {
    return storeOfLease(this.#settings.store, this.#names.shard(shard), (lease) =>
      this.#see({ type: "applied", lease }),
    );
  }

  /** Writes the layout of this replica as the one in use. */
  setLayout(signal: AbortSignal): Promise<void> {
    const { name } = this.#settings;
    return this.#write(signal, this.#names.layout, (lease) =>
      layoutLease(lease, name, this.#settings),
    );
  }

  /** Creates the Lease of a shard, or frees it of another layout. */
  prepare(shard: number, signal: AbortSignal): Promise<void> {
    const { name } = this.#settings;
    return this.#write(signal, this.#names.shard(shard), (lease) =>
      freeShardLease(lease, name, this.#settings),
    );
  }

  /** Takes a shard by its Lease as last seen: a write of anybody since then makes this fail. */
  async take(shard: number, signal: AbortSignal): Promise<WrittenLease | undefined> {
    const found = this.#board.get(this.#names.shard(shard))?.lease;
    if (found === undefined) {
      return undefined;
    }
    const claims = this.claimsOf(shard);
    const claim = claims.current();
    claims.remember(claim);
    const sentAt = this.#settings.time.now();
    const lease = await this.storeOf(shard).update(acquiredLease(found, claim), signal);
    return { lease, sentAt };
  }

  /** Releases a shard that was taken and is not used. */
  async release(shard: number): Promise<void> {
    const { clock, renewDeadlineMs: limitMs, onError } = this.#settings;
    const claims = this.claimsOf(shard);
    await releaseLease({
      store: this.storeOf(shard),
      clock,
      isOwn: (record) => claims.isOwn(record),
      limitMs,
      onError,
    });
  }

  /** Deletes the membership of a replica that ended without leaving, unless it has come back since it was last seen. */
  async removeMember(identity: string, signal: AbortSignal): Promise<void> {
    const name = this.#names.member(identity);
    const lease = this.#board.get(name)?.lease;
    if (lease !== undefined) {
      await this.#settings.store.delete(name, signal, lease.metadata.resourceVersion);
      this.#see({ type: "deleted", lease });
    }
  }

  /** Reads a Lease. */
  async read(name: string, signal: AbortSignal): Promise<void> {
    const lease = await this.#settings.store.get(name, signal);
    const known = this.#board.get(name)?.lease;
    if (lease !== undefined) {
      this.#see({ type: "applied", lease });
    } else if (known !== undefined) {
      this.#see({ type: "deleted", lease: known });
    }
  }

  async #write(
    signal: AbortSignal,
    name: string,
    change: <L extends Lease>(lease: L) => L,
  ): Promise<void> {
    const { store, namespace } = this.#settings;
    const found = this.#board.get(name)?.lease;
    const lease =
      found === undefined
        ? await store.create(change<Lease>({ metadata: { name, namespace } }), signal)
        : await store.update(change(found), signal);
    this.#see({ type: "applied", lease });
  }
}
