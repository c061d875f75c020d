import { KubeError } from "@typekube/core";
import {
  allowManyListeners,
  type Clock,
  monotonicNow,
  sleep,
  withoutCallScope,
} from "@typekube/core/internal";
import type { WrittenLease } from "../election/acquire-lease.js";
import { Bell } from "../election/bell.js";
import { readRecord } from "../election/lease-record.js";
import { PassedTime } from "../election/passed-time.js";
import { HandOver } from "./hand-over.js";
import { HeldShard } from "./held-shard.js";
import { LeaseBoard } from "./lease-board.js";
import { LeaseRequests } from "./lease-requests.js";
import type { LeaseChange } from "./lease-store.js";
import { Membership } from "./membership.js";
import { planShards, type ShardPlan } from "./plan-shards.js";
import { type LeaseNames, labelsOf, layoutText, leaseNames } from "./shard-layout.js";
import { ShardLeases, type ShardLeasesSettings } from "./shard-leases.js";
import type { ShardWork } from "./shard-work.js";

/** Milliseconds that a new replica waits before its first shard, so that those that start with it are counted. */
const settleMs = 1_000;

/** Settings of a {@link ShardKeeper}. */
export interface KeeperSettings extends Omit<ShardLeasesSettings, "time"> {
  readonly work: ShardWork;
}

/** Holds this replica's share of the shards: joins, takes, hands over, and leaves. */
export class ShardKeeper {
  readonly #settings: KeeperSettings;
  readonly #clock: Clock;
  readonly #time: PassedTime;
  readonly #names: LeaseNames;
  readonly #board: LeaseBoard;
  readonly #bell: Bell;
  readonly #membership: Membership;
  readonly #stop = new AbortController();
  readonly #held = new Map<number, HeldShard>();
  readonly #leases: ShardLeases;
  readonly #requests: LeaseRequests;
  readonly #handOver: HandOver;
  readonly #done: Promise<unknown>;
  #isLeaving = false;
  /** Monotonic time of the last news from the watch or a list. */
  #newsAtMs: number;
  #leaving: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(settings: KeeperSettings) {
    const { clock, name, namespace, identity, store, onError } = settings;
    this.#settings = settings;
    this.#clock = clock;
    this.#time = new PassedTime(clock);
    this.#names = leaseNames(name);
    this.#board = new LeaseBoard(settings, this.#names);
    this.#bell = new Bell(clock);
    this.#newsAtMs = monotonicNow(clock);
    allowManyListeners(this.#stop.signal);
    const see = (change: LeaseChange) => this.#see(change);
    this.#leases = new ShardLeases(
      { ...settings, time: this.#time },
      this.#names,
      this.#board,
      see,
    );
    this.#requests = new LeaseRequests({
      clock,
      signal: this.#stop.signal,
      read: (lease, signal) => this.#leases.read(lease, signal),
      onEnd: () => this.#bell.ring(),
      onError,
    });
    this.#handOver = new HandOver({
      clock,
      signal: this.#stop.signal,
      release: (shard, why) => this.#endAndRelease(shard, why),
      isTaken: (shard) => {
        const lease = this.#board.get(this.#names.shard(shard))?.lease;
        return lease !== undefined && readRecord(lease).holder !== "";
      },
      onChange: () => this.#bell.ring(),
    });
    this.#membership = new Membership({
      ...settings,
      time: this.#time,
      name: this.#names.member(identity),
      labels: labelsOf(name, settings),
      namespace,
      store,
      onLease: (lease) => see({ type: "applied", lease }),
      onError,
    });
    this.#done = Promise.all([this.#run(), this.#watch(), this.#time.keep(this.#stop.signal)]);
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
      this.#requests.ended(),
      ...held.map((shard) => shard.ended),
    ]);
  }

  async #leave(): Promise<void> {
    this.#isLeaving = true;
    await this.#membership.leave();
    await this.#requests.ended();
    const { work, identity } = this.#settings;
    const reason = new KubeError("Aborted", "the replica stops");
    for (const shard of this.#handOver.going) {
      // Its runs were left to come to their own end.
      void withoutCallScope(() => work.end(shard, reason, true));
    }
    const layout = layoutText(this.#settings);
    await this.#handOver.all(this.held, () => this.#board.hasOthers(identity, layout));
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
    this.#handOver.news();
    this.#bell.ring();
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#bell.wait(this.#step());
    }
  }

  /** Starts what is to be done. Returns the milliseconds until something else may be. */
  #step(): number {
    const { againMs, ...plan } = this.#plan();
    const { retryMs } = this.#settings;
    const now = monotonicNow(this.#clock);
    // An own renewal comes back as news: without any, the watch is broken, or forbidden.
    const { pauseMs } = this.#requests;
    if (now - this.#newsAtMs >= 2 * retryMs && pauseMs <= 0) {
      this.#requests.send("list", async (signal) => {
        const leases = await this.#settings.store.list(signal);
        this.#newsAtMs = monotonicNow(this.#clock);
        this.#see({ type: "snapshot", leases });
      });
    }
    if (this.#isLeaving) {
      return retryMs;
    }
    const { isComplete } = this.#board;
    if (isComplete && this.#membership.isValid && !this.#board.hasMember(this.#settings.identity)) {
      this.#membership.check();
    }
    if (pauseMs <= 0) {
      this.#act(plan);
    }
    this.#handOver.one(plan.giveUp);
    const settleLeftMs = settleMs - this.#membership.ageMs;
    return Math.min(
      retryMs,
      againMs,
      ...[settleLeftMs, this.#requests.pauseMs, this.#handOver.pauseMs].filter((ms) => ms > 0),
    );
  }

  #plan(): ShardPlan {
    const isSettled = this.#membership.ageMs >= settleMs;
    return planShards({
      identity: this.#settings.identity,
      layout: this.#settings,
      names: this.#names,
      board: this.#board,
      isMember: isSettled && this.#membership.isValid && !this.#isLeaving,
      isHeld: (shard) => this.#held.has(shard),
      isClaimed: (shard) => this.#leases.isClaimed(shard),
    });
  }

  #act({ setsLayout, prepare, take }: Pick<ShardPlan, "prepare" | "setsLayout" | "take">): void {
    if (setsLayout) {
      this.#requests.send(this.#names.layout, (signal) => this.#leases.setLayout(signal));
    }
    for (const shard of prepare) {
      this.#requests.send(this.#names.shard(shard), (signal) =>
        this.#leases.prepare(shard, signal),
      );
    }
    for (const shard of take) {
      if (!this.#handOver.isGoing(shard)) {
        this.#requests.send(this.#names.shard(shard), (signal) => this.#take(shard, signal));
      }
    }
    for (const departed of this.#board.departedFor(this.#settings.identity)) {
      this.#requests.send(this.#names.member(departed), (signal) =>
        this.#leases.removeMember(departed, signal),
      );
    }
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
      await this.#requests.track(`release of ${shard}`, held.release(why));
      withoutCallScope(() => work.released(shard));
    }
  }

  async #take(shard: number, signal: AbortSignal): Promise<void> {
    const written = await this.#leases.take(shard, signal);
    if (written === undefined) {
      return;
    }
    if (this.#isLeaving) {
      await this.#leases.release(shard);
    } else if (this.#time.now() - written.sentAt < this.#settings.renewDeadlineMs) {
      this.#hold(shard, written);
    }
  }

  #hold(shard: number, written: WrittenLease): void {
    const { work } = this.#settings;
    const held: HeldShard = new HeldShard(
      {
        ...this.#settings,
        time: this.#time,
        store: this.#leases.storeOf(shard),
        claims: this.#leases.claimsOf(shard),
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
}
