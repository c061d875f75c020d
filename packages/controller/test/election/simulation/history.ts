import { seededRandom } from "@typekube/test-support/seeded-random";
import type { Elector } from "../../../src/election/elector.js";
import { electionPresets } from "../../../src/election/elector-options.js";
import type { Leadership } from "../../../src/election/leadership.js";
import { LeaseElector } from "../../../src/election/lease-elector.js";
import { hideSuspension } from "./hidden-suspension.js";
import { LeaseServer, Network, simulatedStore } from "./lease-server.js";
import { SimulatedProcess } from "./simulated-process.js";
import { World } from "./world.js";

/** A request of a leader, at the moment at which its bytes are sent. */
interface Sent {
  readonly at: number;
  readonly who: string;
  readonly token: number;
  /** Milliseconds since the last successful write of the lease was sent, by a clock at the rate of the process's own. */
  readonly ageMs: number;
}

/** Results of one history. */
export interface History {
  readonly seed: number;
  /** Requests that started after their sender's deadline, or after a request of a later leader. */
  readonly overlaps: readonly string[];
  /** Failures other than overlaps: no leader at the end, timers left behind. */
  readonly problems: readonly string[];
  readonly requests: number;
  readonly leaders: number;
  readonly losses: number;
}

/** How a simulated leader treats its fence. */
export type Discipline = "checks the fence" | "ignores the fence";

/** Milliseconds of incidents, and of quiet after them, in which a leader must be found. */
const incidentsMs = 90_000;
const quietMs = 60_000;

/** Largest difference in the rate of two clocks: 5 % above and below. */
const rateSkew = 0.05;

interface Candidate {
  readonly identity: string;
  readonly process: SimulatedProcess;
  readonly network: Network;
  readonly elector: Elector;
}

/** Simulates the election of a few candidates through pauses, suspended machines, partitions, set clocks and crashes. */
export async function simulate(
  seed: number,
  discipline: Discipline = "checks the fence",
): Promise<History> {
  const run = new Run(seed, discipline);
  return run.history();
}

class Run {
  readonly #seed: number;
  readonly #random: () => number;
  readonly #isCareful: boolean;
  readonly #world = new World();
  readonly #server = new LeaseServer();
  readonly #sent: Sent[] = [];
  readonly #problems: string[] = [];
  #candidates: Candidate[] = [];
  #count = 0;
  #losses = 0;
  #isCalm = false;

  constructor(seed: number, discipline: Discipline) {
    this.#seed = seed;
    this.#random = seededRandom(seed);
    this.#isCareful = discipline === "checks the fence";
  }

  async history(): Promise<History> {
    const world = this.#world;
    const candidates = 2 + Math.floor(this.#random() * 3);
    for (let n = 0; n < candidates; n += 1) {
      world.after(this.#random() * 5_000, () => this.#join());
    }
    for (let at = this.#between(2_000, 8_000); at < incidentsMs; at += this.#between(500, 15_000)) {
      world.after(at, () => this.#incident());
    }
    await world.runUntil(incidentsMs);
    this.#isCalm = true;
    for (const { network } of this.#candidates) {
      network.isCalm = true;
    }
    // The longest incident ends in that time, and the lease of a crashed leader expires.
    await world.runUntil(incidentsMs + quietMs + 40_000);
    this.#checkLeader();
    await this.#closeAll();
    return {
      seed: this.#seed,
      overlaps: overlapsIn(this.#sent),
      problems: this.#problems,
      requests: this.#sent.length,
      leaders: new Set(this.#sent.map(({ token }) => token)).size,
      losses: this.#losses,
    };
  }

  #between(least: number, most: number): number {
    return least + this.#random() * (most - least);
  }

  #join(): void {
    const world = this.#world;
    const rate = 1 + this.#between(-rateSkew, rateSkew);
    const process = new SimulatedProcess(world, rate, this.#between(-1, 1) * 3 * 3_600_000);
    const network = new Network(world, this.#random);
    network.isCalm = this.#isCalm;
    // Sometimes a name that another process has or had, which a good configuration avoids.
    const identity = this.#random() < 0.1 ? "c0" : `c${this.#count}`;
    this.#count += 1;
    let lastWrite = Number.NEGATIVE_INFINITY;
    const store = simulatedStore(world, this.#server, process, network, (sentAt) => {
      lastWrite = sentAt;
    });
    const elector: Elector = new LeaseElector(store, {
      ...electionPresets.standard,
      name: "lease",
      namespace: "default",
      identity,
      releaseOnStop: true,
      isCoordinated: false,
      trustRenewTime: undefined,
      labels: undefined,
      clock: process,
      random: this.#random,
      onLeader: () => {},
      onError: () => {},
      events: undefined,
      metrics: undefined,
      onState: (state) => {
        if (state.name === "leader") {
          work(state.leadership);
        } else if (state.name === "lost") {
          this.#losses += 1;
          process.schedule(this.#between(0, 3_000), () => elector.rejoin());
        } else if (state.name === "released") {
          process.schedule(this.#between(0, 10_000), () => elector.rejoin());
        }
      },
    });
    const work = (leadership: Leadership) => {
      const { fence } = leadership;
      const { beforeAttempt, beforeSend } = fence.scope();
      const { token } = fence;
      const request = { method: "PUT", path: "/" } as const;
      const attempt = () => {
        try {
          if (this.#isCareful) {
            beforeAttempt?.(request);
          } else if (elector.state.name === "stopped") {
            return;
          }
        } catch {
          return;
        }
        // Most requests are sent at once, some wait for a socket.
        const waitMs = this.#random() < 0.7 ? 0 : this.#between(0, 8_000);
        process.schedule(waitMs, () => {
          try {
            if (this.#isCareful) {
              beforeSend?.(request);
            } else if (elector.state.name === "stopped") {
              return;
            }
          } catch {
            return;
          }
          const ageMs = process.since(lastWrite);
          this.#sent.push({ at: world.now, who: identity, token, ageMs });
        });
        process.schedule(this.#between(100, 900), attempt);
      };
      attempt();
    };
    this.#candidates.push({ identity, process, network, elector });
  }

  #incident(): void {
    const at = Math.floor(this.#random() * this.#candidates.length);
    const one = this.#candidates[at];
    if (one === undefined) {
      return;
    }
    const { process, network, elector } = one;
    const kind = this.#random();
    if (kind < 0.2) {
      process.stop(this.#between(500, 40_000));
    } else if (kind < 0.3) {
      process.suspend(this.#between(500, 40_000));
    } else if (kind < 0.55) {
      network.cutUntil = this.#world.now + this.#between(500, 40_000);
    } else if (kind < 0.6) {
      const until = this.#world.now + this.#between(500, 20_000);
      for (const each of this.#candidates) {
        each.network.cutUntil = until;
      }
    } else if (kind < 0.64) {
      hideSuspension(this.#world, process, network, (least, most) => this.#between(least, most));
    } else if (kind < 0.75) {
      process.jump(this.#between(-1, 1) * (this.#random() < 0.5 ? 20_000 : 3_600_000));
    } else if (kind < 0.83) {
      process.run(() => void elector.release());
    } else if (kind < 0.9) {
      process.crash();
      this.#candidates.splice(at, 1);
      this.#world.after(this.#between(0, 10_000), () => this.#join());
    } else if (this.#candidates.length > 1) {
      process.run(() => void elector.close());
      this.#candidates.splice(at, 1);
      this.#world.after(this.#between(0, 10_000), () => this.#join());
    }
  }

  #checkLeader(): void {
    const leaders = this.#candidates.filter(({ elector }) => elector.state.name === "leader");
    if (leaders.length !== 1) {
      const states = this.#candidates.map(
        ({ identity, elector }) => `${identity} ${elector.state.name}`,
      );
      this.#problems.push(`${leaders.length} leaders at the end: ${states.join(", ")}`);
    }
  }

  async #closeAll(): Promise<void> {
    const open = new Set(this.#candidates);
    for (const each of this.#candidates) {
      void each.elector.close().then(() => open.delete(each));
    }
    await this.#world.runUntil(this.#world.now + 30_000);
    for (const { identity, process } of this.#candidates) {
      if (process.timers > 0) {
        this.#problems.push(`${process.timers} timers of ${identity} are left after close()`);
      }
    }
    for (const { identity } of open) {
      this.#problems.push(`close() of ${identity} did not end`);
    }
  }
}

/** Finds requests that started after their sender's deadline, or after a later leader's first request. */
export function overlapsIn(
  sent: readonly Sent[],
  renewDeadlineMs: number = electionPresets.standard.renewDeadlineMs,
): string[] {
  const overlaps: string[] = [];
  let newest: Sent | undefined;
  for (const one of sent) {
    const { at, who, token, ageMs } = one;
    const moment = `at ${Math.round(at)} ms ${who} (leader number ${token})`;
    if (ageMs >= renewDeadlineMs) {
      overlaps.push(`${moment} sent ${Math.round(ageMs)} ms after its last renewal`);
    }
    if (
      newest !== undefined &&
      (token < newest.token || (token === newest.token && who !== newest.who))
    ) {
      overlaps.push(`${moment} sent after ${newest.who} (leader number ${newest.token})`);
    } else {
      newest = one;
    }
  }
  return overlaps;
}
