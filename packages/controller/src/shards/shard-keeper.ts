import type { Live } from "@typekube/api";
import type { Lease } from "@typekube/api/coordination/v1";
import { isAlreadyExists, isConflict, isNotFound, KubeError } from "@typekube/core";
import {
  allowManyListeners,
  type Clock,
  monotonicNow,
  sleep,
  withoutCallScope,
} from "@typekube/core/internal";
import { Bell } from "../election/bell.js";
import { Claims } from "../election/claims.js";
import { elapsedMs, markNow } from "../election/clock-mark.js";
import { acquiredLease, readRecord } from "../election/lease-record.js";
import type { ObjectStore } from "../election/object-store.js";
import { releaseLease } from "../election/release-lease.js";
import { HeldShard } from "./held-shard.js";
import { LeaseBoard } from "./lease-board.js";
import { type LeaseChange, type LeaseStore, storeOfLease } from "./lease-store.js";
import { Membership } from "./membership.js";
import { planShards, type ShardPlan } from "./plan-shards.js";
import {
  freeShardLease,
  type LeaseNames,
  labelsOf,
  layoutLease,
  layoutOf,
  layoutText,
  leaseNames,
} from "./shard-layout.js";
import type { ShardWork } from "./shard-work.js";
import type { ShardsSettings } from "./shards-options.js";

/** Milliseconds that a new replica waits before its first shard, so that those that start with it are counted. */
const settleMs = 1_000;
/** Milliseconds to the next attempt after a request failed. */
const failureMs = 500;
/** Milliseconds to the next attempt after somebody else was faster. */
const overtakenMs = 100;
/** Milliseconds that a replica that hands over its shards waits for one to be taken before it releases the next. */
const handOverMs = 500;
/** Milliseconds for the runs of one shard, before the next shard is handed over beside it. */
const drainMs = 1_000;

/** Settings of a {@link ShardKeeper}. */
export interface KeeperSettings extends ShardsSettings {
  readonly namespace: string;
  readonly identity: string;
  readonly store: LeaseStore;
  readonly clock: Clock;
  readonly work: ShardWork;
  readonly onError: (error: KubeError) => void;
}

/** Holds this replica's share of the shards: joins, takes, hands over, and leaves. */
export class ShardKeeper {
  readonly #settings: KeeperSettings;
  readonly #clock: Clock;
  readonly #names: LeaseNames;
  readonly #board: LeaseBoard;
  readonly #bell: Bell;
  readonly #membership: Membership;
  readonly #stop = new AbortController();
  readonly #held = new Map<number, HeldShard>();
  readonly #claims = new Map<number, Claims>();
  /** Requests that go on, by what they change. */
  readonly #pending = new Map<string, Promise<void>>();
  readonly #giving = new Map<number, Promise<void>>();
  readonly #done: Promise<unknown>;
  #isLeaving = false;
  /** Monotonic times: of the last news from the watch or a list, and before which no request is repeated. */
  #newsAtMs: number;
  #retryAtMs = Number.NEGATIVE_INFINITY;
  #nextHandOverMs = Number.NEGATIVE_INFINITY;
  #onNews: (() => void)[] = [];
  #leaving: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(settings: KeeperSettings) {
    const { clock, name, namespace, identity, store, onError } = settings;
    this.#settings = settings;
    this.#clock = clock;
    this.#names = leaseNames(name);
    this.#board = new LeaseBoard(settings, this.#names);
    this.#bell = new Bell(clock);
    this.#newsAtMs = monotonicNow(clock);
    allowManyListeners(this.#stop.signal);
    this.#membership = new Membership({
      ...settings,
      name: this.#names.member(identity),
      labels: labelsOf(name, settings),
      namespace,
      store,
      onLease: (lease) => this.#see({ type: "applied", lease }),
      onError,
    });
    this.#done = Promise.all([this.#run(), this.#watch()]);
  }

  /** Shards that this replica holds, in ascending order. */
  get held(): number[] {
    return [...this.#held.keys()].sort((a, b) => a - b);
  }

  /**
   * Hands over all shards, one after the other: ends the work of each, releases it, and waits a moment for another
   * replica to take it.
   */
  leave(): Promise<void> {
    this.#leaving ??= this.#leave();
    return this.#leaving;
  }

  /** Stops. Shards that were not handed over are left to expire. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#isLeaving = true;
    this.#stop.abort(new KubeError("Closed", "the replica stops"));
    this.#bell.ring();
    const held = [...this.#held.values()];
    for (const shard of held) {
      shard.stop("the replica stops");
    }
    await Promise.all([
      this.#done,
      this.#membership.stop(),
      ...this.#pending.values(),
      ...held.map((shard) => shard.ended),
    ]);
  }

  async #leave(): Promise<void> {
    this.#isLeaving = true;
    await this.#membership.leave();
    await Promise.all(this.#pending.values());
    const { signal } = this.#stop;
    const wait = (ms: number, until: Promise<unknown>) => {
      const over = new AbortController();
      const onAbort = () => over.abort();
      signal.addEventListener("abort", onAbort, { once: true });
      return Promise.race([until, sleep(this.#clock, ms, over.signal).catch(() => {})]).finally(
        () => {
          signal.removeEventListener("abort", onAbort);
          over.abort();
        },
      );
    };
    for (const shard of this.held) {
      await wait(drainMs, this.#giveUp(shard, "the replica stops"));
      if (this.#hasColleagues && !this.#giving.has(shard)) {
        await wait(handOverMs, this.#taken(shard));
      }
    }
    await Promise.all(this.#giving.values());
  }

  get #hasColleagues(): boolean {
    const own = layoutText(this.#settings);
    return [...this.#board.members()].some(
      ([identity, lease]) => identity !== this.#settings.identity && layoutOf(lease) === own,
    );
  }

  /** Resolves when another replica holds a shard. */
  async #taken(shard: number): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const lease = this.#board.get(this.#names.shard(shard))?.lease;
      if (lease !== undefined && readRecord(lease).holder !== "") {
        return;
      }
      await new Promise<void>((resolve) => this.#onNews.push(resolve));
    }
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stop;
    const { store, retryMs, onError } = this.#settings;
    while (!signal.aborted) {
      try {
        for await (const change of store.changes(signal)) {
          this.#newsAtMs = monotonicNow(this.#clock);
          this.#see(change);
        }
      } catch (error) {
        if (!signal.aborted) {
          onError(KubeError.from(error));
        }
      }
      await sleep(this.#clock, retryMs, signal).catch(() => {});
    }
  }

  /** Takes in a change: of the watch, of a list, or of an own write. */
  #see(change: LeaseChange): void {
    this.#board.see(change);
    for (const [shard, held] of this.#held) {
      const observed = this.#board.get(this.#names.shard(shard));
      if (observed !== undefined) {
        held.see(observed.lease);
      }
    }
    for (const resolve of this.#onNews.splice(0)) {
      resolve();
    }
    this.#bell.ring();
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#bell.wait(this.#step());
    }
    for (const resolve of this.#onNews.splice(0)) {
      resolve();
    }
  }

  /** Starts what is to be done. Returns the milliseconds until something else may be. */
  #step(): number {
    const { layout, againMs, ...plan } = this.#plan();
    const { retryMs } = this.#settings;
    const now = monotonicNow(this.#clock);
    // An own renewal comes back as news: without any, the watch is broken, or forbidden.
    if (now - this.#newsAtMs >= 2 * retryMs && now >= this.#retryAtMs) {
      this.#request("list", async (signal) => {
        const leases = await this.#settings.store.list(signal);
        this.#newsAtMs = monotonicNow(this.#clock);
        this.#see({ type: "snapshot", leases });
      });
    }
    if (this.#isLeaving) {
      return retryMs;
    }
    if (layout.isOwnMissing) {
      this.#membership.check();
    }
    if (now >= this.#retryAtMs) {
      this.#act(plan);
    }
    this.#handOver(plan.giveUp, now);
    const settleLeftMs = settleMs - this.#membership.ageMs;
    return Math.min(
      retryMs,
      againMs,
      ...[settleLeftMs, this.#retryAtMs - now, this.#nextHandOverMs - now].filter((ms) => ms > 0),
    );
  }

  #plan(): ShardPlan & { readonly layout: { readonly isOwnMissing: boolean } } {
    const { identity } = this.#settings;
    const isSettled = this.#membership.ageMs >= settleMs;
    const board = this.#board;
    const plan = planShards({
      identity,
      layout: this.#settings,
      names: this.#names,
      board,
      isMember: isSettled && this.#membership.isValid && !this.#isLeaving,
      isHeld: (shard) => this.#held.has(shard),
      isClaimed: (shard) => {
        const lease = board.get(this.#names.shard(shard))?.lease;
        return lease !== undefined && this.#claims.get(shard)?.isOwn(readRecord(lease)) === true;
      },
    });
    const isOwnMissing =
      this.#membership.isValid && board.isComplete && !board.members().has(identity);
    return { ...plan, layout: { isOwnMissing } };
  }

  #act({ setsLayout, prepare, take }: Pick<ShardPlan, "prepare" | "setsLayout" | "take">): void {
    if (setsLayout) {
      this.#request(this.#names.layout, (signal) => this.#setLayout(signal));
    }
    for (const shard of prepare) {
      this.#request(this.#names.shard(shard), (signal) => this.#prepare(shard, signal));
    }
    for (const shard of take) {
      if (!this.#giving.has(shard)) {
        this.#request(this.#names.shard(shard), (signal) => this.#take(shard, signal));
      }
    }
    this.#removeDeparted();
  }

  /** Deletes the Leases of replicas that ended without leaving; one replica does so for all. */
  #removeDeparted(): void {
    const { store, identity } = this.#settings;
    const [first] = [...this.#board.members().keys()].sort();
    for (const departed of first === identity ? this.#board.departed() : []) {
      const name = this.#names.member(departed);
      if (departed !== identity) {
        this.#request(name, async (signal) => {
          const lease = this.#board.get(name)?.lease;
          await store.delete(name, signal);
          if (lease !== undefined) {
            this.#see({ type: "deleted", lease });
          }
        });
      }
    }
  }

  /** Hands over one shard at a time, the next one when the last was taken or did not find a taker. */
  #handOver(shards: readonly number[], now: number): void {
    const shard = shards.find((one) => !this.#giving.has(one));
    if (shard === undefined || now < this.#nextHandOverMs) {
      return;
    }
    this.#nextHandOverMs = now + drainMs;
    const next = () => {
      this.#nextHandOverMs = Number.NEGATIVE_INFINITY;
      this.#bell.ring();
    };
    void this.#giveUp(shard, "another replica takes the shard").then(() => {
      const cancel = this.#clock.schedule(handOverMs, next);
      void this.#taken(shard).then(() => {
        cancel();
        next();
      });
    });
  }

  #giveUp(shard: number, why: string): Promise<void> {
    let giving = this.#giving.get(shard);
    if (giving === undefined) {
      giving = this.#endAndRelease(shard, why).finally(() => {
        this.#giving.delete(shard);
        this.#bell.ring();
      });
      this.#giving.set(shard, giving);
    }
    return giving;
  }

  async #endAndRelease(shard: number, why: string): Promise<void> {
    const held = this.#held.get(shard);
    if (held === undefined) {
      return;
    }
    const { work } = this.#settings;
    const reason = new KubeError("Aborted", why);
    await withoutCallScope(() => work.end(shard, reason, this.#isLeaving));
    // Lost in the meantime, it is not ours to release.
    if (this.#held.get(shard) === held && !this.#stop.signal.aborted) {
      this.#held.delete(shard);
      const released = held.release(why).then(() => {});
      this.#pending.set(`release ${shard}`, released);
      await released;
      this.#pending.delete(`release ${shard}`);
      withoutCallScope(() => work.released(shard));
    }
  }

  async #setLayout(signal: AbortSignal): Promise<void> {
    const { store, name, namespace } = this.#settings;
    const found = this.#board.get(this.#names.layout)?.lease;
    const empty: Lease = { metadata: { name: this.#names.layout, namespace } };
    const lease =
      found === undefined
        ? await store.create(layoutLease(empty, name, this.#settings), signal)
        : await store.update(layoutLease(found, name, this.#settings), signal);
    this.#see({ type: "applied", lease });
  }

  async #prepare(shard: number, signal: AbortSignal): Promise<void> {
    const { store, name, namespace } = this.#settings;
    const found = this.#board.get(this.#names.shard(shard))?.lease;
    const empty: Lease = { metadata: { name: this.#names.shard(shard), namespace } };
    const lease =
      found === undefined
        ? await store.create(freeShardLease(empty, name, this.#settings), signal)
        : await store.update(freeShardLease(found, name, this.#settings), signal);
    this.#see({ type: "applied", lease });
  }

  /** Takes a shard by its Lease as last seen: whoever has written it since makes this fail. */
  async #take(shard: number, signal: AbortSignal): Promise<void> {
    const { store, identity, leaseDurationMs, renewDeadlineMs, name } = this.#settings;
    const leaseName = this.#names.shard(shard);
    const found = this.#board.get(leaseName)?.lease;
    if (found === undefined) {
      return;
    }
    let claims = this.#claims.get(shard);
    if (claims === undefined) {
      const labels = labelsOf(name, this.#settings);
      const clock = this.#clock;
      claims = new Claims({ clock, identity, leaseDurationMs, labels, isCoordinated: false });
      this.#claims.set(shard, claims);
    }
    const claim = claims.current();
    claims.remember(claim);
    const sentAt = markNow(this.#clock);
    const lease = await store.update(acquiredLease(found, claim), signal);
    this.#see({ type: "applied", lease });
    if (this.#isLeaving) {
      await this.#releaseUnused(shard, claims);
    } else if (elapsedMs(this.#clock, sentAt) < renewDeadlineMs) {
      this.#hold(shard, claims, { lease, sentAt });
    }
  }

  async #releaseUnused(shard: number, claims: Claims): Promise<void> {
    const { clock, renewDeadlineMs, onError } = this.#settings;
    await releaseLease({
      store: this.#storeOf(shard),
      clock,
      isOwn: (record) => claims.isOwn(record),
      limitMs: renewDeadlineMs,
      onError,
    });
  }

  #hold(
    shard: number,
    claims: Claims,
    written: { readonly lease: Live<Lease>; readonly sentAt: ReturnType<typeof markNow> },
  ): void {
    const { work } = this.#settings;
    const held: HeldShard = new HeldShard(
      {
        ...this.#settings,
        store: this.#storeOf(shard),
        claims,
        name: this.#names.shard(shard),
        onLost: (error) => {
          if (this.#held.get(shard) === held) {
            this.#held.delete(shard);
            // A call of a run may have met the closed fence.
            withoutCallScope(() => work.lost(shard, error));
            this.#bell.ring();
          }
        },
      },
      written,
    );
    this.#held.set(shard, held);
    withoutCallScope(() => work.begin(shard, held.term));
  }

  #storeOf(shard: number): ObjectStore<Lease> {
    return storeOfLease(this.#settings.store, this.#names.shard(shard), (lease) =>
      this.#see({ type: "applied", lease }),
    );
  }

  /** Sends a request unless the same one goes on. A failure is reported, and the request repeated after a while. */
  #request(id: string, send: (signal: AbortSignal) => Promise<void>): void {
    if (this.#pending.has(id)) {
      return;
    }
    const { signal } = this.#stop;
    const failed = (error: unknown) => {
      this.#retryAtMs = monotonicNow(this.#clock) + failureMs;
      if (!signal.aborted) {
        this.#settings.onError(KubeError.from(error));
      }
    };
    const sent = send(signal)
      // Somebody else was faster. The watch is about to show it, unless it lags behind.
      .catch((error: unknown) => (isOvertaken(error) ? this.#read(id, signal) : failed(error)))
      .catch(failed)
      .finally(() => {
        this.#pending.delete(id);
        this.#bell.ring();
      });
    this.#pending.set(id, sent);
  }

  /** Reads a Lease that was not as expected. */
  async #read(name: string, signal: AbortSignal): Promise<void> {
    this.#retryAtMs = monotonicNow(this.#clock) + overtakenMs;
    const lease = await this.#settings.store.get(name, signal);
    const known = this.#board.get(name)?.lease;
    if (lease !== undefined) {
      this.#see({ type: "applied", lease });
    } else if (known !== undefined) {
      this.#see({ type: "deleted", lease: known });
    }
  }
}

function isOvertaken(error: unknown): boolean {
  return isConflict(error) || isAlreadyExists(error) || isNotFound(error);
}
