import { seededRandom } from "@typekube/test-support/seeded-random";
import { electionPresets } from "../../../src/election/elector-options.js";
import { ShardKeeper } from "../../../src/shards/shard-keeper.js";
import { hideSuspension } from "../../election/simulation/hidden-suspension.js";
import { Network } from "../../election/simulation/lease-server.js";
import { SimulatedProcess } from "../../election/simulation/simulated-process.js";
import { World } from "../../election/simulation/world.js";
import { LeasesServer, simulatedLeases } from "./lease-servers.js";
import { ShardRecords } from "./shard-records.js";
import { keys, renewDeadlineMs, simulatedWork } from "./simulated-work.js";

/** Results of one history. */
export interface ShardHistory {
  readonly seed: number;
  /** Runs of one key in two replicas at a time, and requests of former holders. */
  readonly overlaps: readonly string[];
  /** Failures other than overlaps: shards without a holder at the end, unfair shares, timers left behind. */
  readonly problems: readonly string[];
  readonly runs: number;
  readonly requests: number;
  /** Periods of holding a shard. */
  readonly periods: number;
  readonly replicas: number;
}

/** How simulated replicas treat their fences. */
export type Discipline = "checks the fence" | "ignores the fence";

/** Milliseconds of incidents, and of quiet after them. */
const incidentsMs = 70_000;
const quietMs = 60_000;
/** Milliseconds at the end in which every key must have had a run. */
const tendedMs = 8_000;
/** Largest difference in the rate of two clocks: 5 % above and below. */
const rateSkew = 0.05;

interface Replica {
  readonly who: string;
  readonly identity: string;
  readonly count: number;
  readonly process: SimulatedProcess;
  readonly network: Network;
  readonly keeper: ShardKeeper;
}

/**
 * Simulates the replicas of a sharding through kills, pauses, suspended machines, partitions, set clocks, orderly stops,
 * and roll-outs of another number of shards.
 */
export async function simulateShards(
  seed: number,
  discipline: Discipline = "checks the fence",
): Promise<ShardHistory> {
  return new Simulation(seed, discipline).history();
}

class Simulation {
  readonly #seed: number;
  readonly #random: () => number;
  readonly #isCareful: boolean;
  readonly #world = new World();
  readonly #server = new LeasesServer();
  readonly #records = new ShardRecords(renewDeadlineMs);
  readonly #problems: string[] = [];
  #replicas: Replica[] = [];
  /** Replicas that stop in order, and have not ended. */
  readonly #leaving = new Set<Replica>();
  #started = 0;
  #count: number;
  #isCalm = false;

  constructor(seed: number, discipline: Discipline) {
    this.#seed = seed;
    this.#random = seededRandom(seed);
    this.#isCareful = discipline === "checks the fence";
    this.#count = 3 + Math.floor(this.#random() * 3);
  }

  async history(): Promise<ShardHistory> {
    const world = this.#world;
    const replicas = 2 + Math.floor(this.#random() * 3);
    for (let n = 0; n < replicas; n += 1) {
      world.after(this.#random() * 5_000, () => this.#start());
    }
    for (let at = this.#between(3_000, 8_000); at < incidentsMs; at += this.#between(500, 12_000)) {
      world.after(at, () => this.#incident());
    }
    if (this.#random() < 0.3) {
      world.after(this.#between(5_000, incidentsMs), () => this.#rollOut());
    }
    await world.runUntil(incidentsMs);
    this.#isCalm = true;
    for (const { network } of [...this.#replicas, ...this.#leaving]) {
      network.isCalm = true;
    }
    // The longest incident ends in that time.
    await world.runUntil(incidentsMs + 40_000);
    await world.runUntil(incidentsMs + 40_000 + quietMs);
    this.#checkEnd();
    await this.#closeAll();
    const { overlaps, runs, requests, periods } = this.#records;
    return {
      seed: this.#seed,
      overlaps,
      problems: this.#problems,
      runs,
      requests,
      periods,
      replicas: this.#started,
    };
  }

  #between(least: number, most: number): number {
    return least + this.#random() * (most - least);
  }

  #start(): void {
    const world = this.#world;
    const rate = 1 + this.#between(-rateSkew, rateSkew);
    const process = new SimulatedProcess(world, rate, this.#between(-1, 1) * 3 * 3_600_000);
    const network = new Network(world, this.#random);
    network.isCalm = this.#isCalm;
    const who = `r${this.#started}`;
    this.#started += 1;
    const count = this.#count;
    // Sometimes a name that another replica has or had, which a good configuration avoids.
    const identity = this.#random() < 0.05 ? "r0" : who;
    const keeper = new ShardKeeper({
      ...electionPresets.standard,
      name: "op",
      namespace: "default",
      identity,
      count,
      by: "uid",
      store: simulatedLeases(world, this.#server, process, network),
      clock: process,
      onError: () => {},
      work: simulatedWork({
        world,
        process,
        random: this.#random,
        who,
        count,
        records: this.#records,
        isCareful: this.#isCareful,
      }),
    });
    this.#replicas.push({
      who,
      identity,
      count,
      process,
      network,
      keeper,
    });
  }

  #incident(): void {
    const at = Math.floor(this.#random() * this.#replicas.length);
    const one = this.#replicas[at];
    if (one === undefined) {
      return;
    }
    const { process, network } = one;
    const kind = this.#random();
    if (kind < 0.2) {
      process.stop(this.#between(500, 40_000));
    } else if (kind < 0.3) {
      process.suspend(this.#between(500, 40_000));
    } else if (kind < 0.5) {
      network.cutUntil = this.#world.now + this.#between(500, 40_000);
    } else if (kind < 0.55) {
      const until = this.#world.now + this.#between(500, 20_000);
      for (const each of this.#replicas) {
        each.network.cutUntil = until;
      }
    } else if (kind < 0.58) {
      hideSuspension(this.#world, process, network, (least, most) => this.#between(least, most));
    } else if (kind < 0.65) {
      process.jump(this.#between(-1, 1) * (this.#random() < 0.5 ? 20_000 : 3_600_000));
    } else if (kind < 0.75) {
      this.#start();
    } else if (kind < 0.87) {
      process.crash();
      this.#replicas.splice(at, 1);
      this.#world.after(this.#between(0, 10_000), () => this.#start());
    } else if (this.#replicas.length > 1) {
      this.#leave(one);
      this.#world.after(this.#between(0, 10_000), () => this.#start());
    }
  }

  #leave(one: Replica): void {
    this.#replicas = this.#replicas.filter((other) => other !== one);
    this.#leaving.add(one);
    one.process.run(
      () =>
        void one.keeper
          .leave()
          .then(() => one.keeper.close())
          .then(() => this.#leaving.delete(one)),
    );
  }

  /** Replaces the replicas by some with another number of shards, one after the other. */
  #rollOut(): void {
    this.#count = this.#count * 2 - 1;
    for (const one of [...this.#replicas]) {
      this.#world.after(this.#between(0, 20_000), () => {
        if (this.#replicas.includes(one)) {
          this.#start();
          this.#leave(one);
        }
      });
    }
  }

  #checkEnd(): void {
    const count = this.#count;
    const own = this.#replicas.filter((one) => one.count === count);
    if (own.length !== this.#replicas.length) {
      this.#problems.push("a replica of the old layout is left");
    }
    const holders = this.#replicas.flatMap(({ who, keeper }) =>
      keeper.held.map((shard) => `${shard} ${who}`),
    );
    const shards = new Set(holders.map((text) => Number.parseInt(text, 10)));
    if (holders.length !== count || shards.size !== count) {
      this.#problems.push(`held of ${count} shards at the end: ${holders.join(", ")}`);
    }
    const isUnique =
      new Set(this.#replicas.map(({ identity }) => identity)).size === this.#replicas.length;
    for (const { who, keeper } of isUnique ? this.#replicas : []) {
      const share = count / this.#replicas.length;
      if (Math.abs(keeper.held.length - share) >= 1) {
        this.#problems.push(`${who} holds ${keeper.held.length} of ${count} shards`);
      }
    }
    const now = this.#world.now;
    const untended = keys.filter((key) => (this.#records.lastRun.get(key) ?? 0) < now - tendedMs);
    if (untended.length > 0) {
      this.#problems.push(`not run in the last ${tendedMs} ms: ${untended.join(", ")}`);
    }
  }

  async #closeAll(): Promise<void> {
    const open = [...this.#replicas, ...this.#leaving];
    for (const each of [...this.#replicas]) {
      this.#leave(each);
    }
    await this.#world.runUntil(this.#world.now + 60_000);
    for (const { who } of this.#leaving) {
      this.#problems.push(`${who} did not stop`);
    }
    for (const { who, process } of open) {
      if (process.timers > 0) {
        this.#problems.push(`${process.timers} timers of ${who} are left after close()`);
      }
    }
  }
}
