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
import { elapsedMs } from "../election/clock-mark.js";
import { readRecord } from "../election/lease-record.js";
import { HeldShard } from "./held-shard.js";
import { LeaseBoard } from "./lease-board.js";
import { LeaseRequests } from "./lease-requests.js";
import type { LeaseChange } from "./lease-store.js";
import { Membership } from "./membership.js";
import { planShards, type ShardPlan } from "./plan-shards.js";
import { type LeaseNames, labelsOf, layoutText, leaseNames } from "./shard-layout.js";
import { ShardLeases, type ShardLeasesSettings } from "./shard-leases.js";
import type { ShardWork } from "./shard-work.js";
import { waitAtMost } from "./wait-at-most.js";

/** Milliseconds that a new replica waits before its first shard, so that those that start with it are counted. */
const settleMs = 1_000;
/** Milliseconds that a replica that hands over its shards waits for one to be taken before it releases the next. */
const handOverMs = 500;
/** Milliseconds for the runs of one shard, before the next shard is handed over beside it. */
const drainMs = 1_000;

/** Milliseconds after which a replica that stops hands over all shards at once. */
const leaveMs = 8_000;

/** Settings of a {@link ShardKeeper}. */
export interface KeeperSettings extends ShardLeasesSettings {
  readonly work: ShardWork;
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
  readonly #leases: ShardLeases;
  readonly #requests: LeaseRequests;
  readonly #giving = new Map<number, Promise<void>>();
  readonly #done: Promise<unknown>;
  #isLeaving = false;
  /** Monotonic times: of the last news from the watch or a list, and of the next hand-over. */
  #newsAtMs: number;
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
    const see = (change: LeaseChange) => this.#see(change);
    this.#leases = new ShardLeases(settings, this.#names, this.#board, see);
    this.#requests = new LeaseRequests({
      clock,
      signal: this.#stop.signal,
      read: (lease, signal) => this.#leases.read(lease, signal),
      onEnd: () => this.#bell.ring(),
      onError,
    });
    this.#membership = new Membership({
      ...settings,
      name: this.#names.member(identity),
      labels: labelsOf(name, settings),
      namespace,
      store,
      onLease: (lease) => see({ type: "applied", lease }),
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
      this.#requests.ended(),
      ...held.map((shard) => shard.ended),
    ]);
  }

  async #leave(): Promise<void> {
    this.#isLeaving = true;
    await this.#membership.leave();
    await this.#requests.ended();
    const clock = this.#clock;
    const { signal } = this.#stop;
    const untilMs = monotonicNow(clock) + leaveMs;
    const leftMs = (ms: number) => Math.min(ms, untilMs - monotonicNow(clock));
    for (const shard of this.held) {
      const given = this.#giveUp(shard, "the replica stops");
      await waitAtMost(clock, leftMs(drainMs), given, signal);
      const hasHeirs = this.#board.hasOthers(this.#settings.identity, layoutText(this.#settings));
      if (hasHeirs && !this.#giving.has(shard)) {
        await waitAtMost(clock, leftMs(handOverMs), this.#taken(shard), signal);
      }
    }
    await Promise.all(this.#giving.values());
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
    this.#handOver(plan.giveUp, now);
    const settleLeftMs = settleMs - this.#membership.ageMs;
    return Math.min(
      retryMs,
      againMs,
      ...[settleLeftMs, this.#requests.pauseMs, this.#nextHandOverMs - now].filter((ms) => ms > 0),
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
      if (!this.#giving.has(shard)) {
        this.#requests.send(this.#names.shard(shard), (signal) => this.#take(shard, signal));
      }
    }
    for (const departed of this.#board.departedFor(this.#settings.identity)) {
      this.#requests.send(this.#names.member(departed), (signal) =>
        this.#leases.removeMember(departed, signal),
      );
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
    } else if (elapsedMs(this.#clock, written.sentAt) < this.#settings.renewDeadlineMs) {
      this.#hold(shard, written);
    }
  }

  #hold(shard: number, written: WrittenLease): void {
    const { work } = this.#settings;
    const held: HeldShard = new HeldShard(
      {
        ...this.#settings,
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
