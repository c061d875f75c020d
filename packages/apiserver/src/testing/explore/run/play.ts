import { KubeError } from "@typekube/core";
import type { Client } from "typekube";
import type { ApiServer } from "../../../api-server/api-server.js";
import { serverParts } from "../../../api-server/server-parts.js";
import type { ServerContext } from "../../../context/server-context.js";
import type { VirtualClock } from "../../../time/virtual-clock.js";
import type { ExploredFault } from "../plan/explored-fault.js";
import type { Externals, Scenario } from "../scenario/scenario.js";
import { type NormalWorld, normalWorld, WrittenKeys } from "../world/normal-world.js";
import { problemOf, type World, worldOf } from "../world/world.js";
import { CallBook } from "./call-book.js";
import { EventGate } from "./event-gate.js";
import type { Expectation } from "./expectation.js";
import { FaultSchedule } from "./fault-schedule.js";
import { LeaseWatch } from "./lease-watch.js";
import { Processes } from "./processes.js";
import { realTurn, untilQuiet } from "./quiet.js";
import { moreResources, realResources } from "./real-resources.js";
import { takeRejections } from "./rejections.js";
import { RunLog } from "./run-log.js";
import type { RunResult } from "./run-result.js";

/** One run of a scenario. */
export interface PlayOptions<X extends Externals> {
  /** The server with everything that exists at the beginning; each run gets a fork. */
  readonly base: ApiServer<VirtualClock>;
  readonly scenario: Scenario<X>;
  /** The steps that happen: numbers from 1. */
  readonly steps: readonly number[];
  readonly faults: readonly ExploredFault[];
  readonly seed: number;
  /** The run without faults; `undefined` for that run itself. */
  readonly expected?: Expectation | undefined;
}

/** Milliseconds that a user waits between two steps. */
const stepGapMs = 1_000;
/** Milliseconds after which a world that is right must still be, without further writes. */
const restMs = 10_000;
/** The same for the run without faults: an operator may look again after a while. */
const restWithoutFaultsMs = 60_000;
/** Milliseconds after which a leader that stands still continues when no other has taken over. */
const longestPauseMs = 120_000;
/** Short waits in real time for a step, before time passes for it. */
const stepTurns = 5;
/** Default of `withinMs`. */
const defaultWithinMs = 600_000;

/** Plays a scenario once, with given faults. */
export async function play<X extends Externals>(options: PlayOptions<X>): Promise<RunResult> {
  const run = new Play(options);
  try {
    await run.all();
    return run.result();
  } finally {
    await run.end();
  }
}

class Play<X extends Externals> {
  readonly #options: PlayOptions<X>;
  readonly #api: ApiServer<VirtualClock>;
  readonly #context: ServerContext;
  readonly #clock: VirtualClock;
  readonly #log: RunLog;
  readonly #schedule: FaultSchedule;
  readonly #events: EventGate;
  readonly #leases: LeaseWatch;
  readonly #calls: CallBook;
  readonly #processes: Processes<X>;
  readonly #written: WrittenKeys;
  readonly #externals: X;
  readonly #world: World<X>;
  readonly #resources: ReadonlyMap<string, number> | undefined;
  /** Writes of objects so far, records of events and of leaders left out. */
  #commits = 0;
  #committedMs = 0;
  /** Those that the last look at the world of the run without faults has seen. */
  #seenCommits = 0;
  #restWrites = 0;
  #didRest = false;
  /** Calls up to the moment after which nothing more should happen. */
  #restingFrom: number | undefined;
  /** Steps that happened early. */
  readonly #early: Set<number> = new Set();
  #isOver = false;
  #impossible: string | undefined;
  #user: Client | undefined;
  #normal: { readonly version: string; readonly world: NormalWorld } | undefined;

  constructor(options: PlayOptions<X>) {
    const { base, scenario, faults, seed, expected } = options;
    this.#options = options;
    this.#api = base.fork();
    this.#context = serverParts(this.#api).context;
    this.#clock = this.#api.clock;
    this.#log = new RunLog(this.#clock);
    this.#schedule = new FaultSchedule(faults);
    this.#resources = expected === undefined ? realResources() : undefined;
    const { store, watches } = this.#context;
    const log = this.#log;
    const schedule = this.#schedule;
    this.#written = new WrittenKeys(store);
    this.#externals = Object.fromEntries(
      Object.entries(scenario.externals ?? {}).map(([name, make]) => [name, make()]),
    ) as X;
    this.#world = worldOf(this.#context, this.#externals);
    this.#leases = new LeaseWatch(store);
    this.#events = new EventGate({
      watches,
      schedule,
      log,
      isOperator: (user) => user !== undefined && this.#processes.has(user),
      isReading: (name) => this.#processes.isRunning(name),
    });
    this.#calls = new CallBook({
      schedule,
      leases: this.#leases,
      log,
      expectedCalls: expected?.calls,
      effects: {
        crash: (process) => this.#processes.crash(process),
        replace: (isLate) => this.#processes.replace(isLate),
        pause: (process) => this.#processes.pause(process),
        takeEarly: (step) => this.#takeEarly(step),
        addServerFault: (rule) => void this.#context.faults.add(rule),
        called: () => this.#events.called(),
      },
    });
    this.#processes = new Processes({
      api: this.#api,
      scenario,
      externals: this.#externals,
      seed,
      log,
      fateOf: (process, facts, request) => this.#calls.fateOf(process, facts, request),
      onGone: ({ name }) => this.#events.drop(name),
    });
    store.onCommit((_, storage) => {
      if (storage !== "events" && storage !== "leases.coordination.k8s.io") {
        this.#commits += 1;
        this.#committedMs = this.#clock.now();
        this.#checkInvariants();
      }
    });
  }

  /** Plays all steps, and waits for the end. */
  async all(): Promise<void> {
    await this.#rest();
    for (const step of this.#options.steps) {
      if (this.#isOver || this.#log.isEndless) {
        return;
      }
      if (!this.#early.has(step)) {
        await this.#take(step);
      }
      await this.#rest();
      this.#events.stepped();
    }
    this.#processes.stepTaken();
    await this.#converge();
  }

  result(): RunResult {
    return {
      calls: this.#calls.calls.slice(0, this.#restingFrom),
      callCount: this.#calls.calls.length,
      events: this.#events.counts,
      trace: this.#log.trace,
      world: this.#normalWorld(),
      failures: this.#impossible === undefined ? this.#log.failures : [],
      impossible: this.#impossible,
      ends: this.#processes.ends,
      didRest: this.#didRest,
      struck: this.#schedule.struck,
      restWrites: this.#restWrites,
      unexplored: [...this.#log.unexplored],
    };
  }

  async end(): Promise<void> {
    this.#isOver = true;
    this.#processes.endAll();
    await this.#user?.close();
    await this.#api.close();
  }

  #checkInvariants(): void {
    for (const [name, check] of Object.entries(this.#options.scenario.invariants ?? {})) {
      const problem = this.#isOver ? undefined : problemOf(check, this.#world);
      if (problem !== undefined) {
        this.#log.fail("invariant violated", `${name}: ${problem}`);
      }
    }
  }

  // Steps

  #nameOf(step: number): string {
    return Object.keys(this.#options.scenario.steps)[step - 1] ?? "";
  }

  async #act(step: number): Promise<void> {
    const name = this.#nameOf(step);
    this.#calls.step = Math.max(this.#calls.step, step);
    this.#log.add({ type: "step", step, name });
    this.#user ??= await this.#api.client({ userAgent: "user" });
    await this.#options.scenario.steps[name]?.(this.#user, this.#world);
    this.#processes.stepTaken();
  }

  async #takeEarly(step: number): Promise<void> {
    // Steps keep their order: other faults may have moved this call to before an earlier step.
    if (this.#options.steps.find((one) => one > this.#calls.step) !== step) {
      return;
    }
    this.#early.add(step);
    try {
      await this.#act(step);
    } catch (error) {
      this.#giveUp(step, error);
    }
  }

  /** Ends the run: what happened before leaves nothing for a step to do. */
  #giveUp(step: number, error: unknown): void {
    this.#impossible = `${this.#nameOf(step)}: ${error instanceof Error ? error.message : String(error)}`;
    this.#isOver = true;
  }

  /** Takes a step, and lets time pass until it is done. */
  async #take(step: number): Promise<void> {
    let isDone = false;
    const taken = this.#act(step)
      .catch((error: unknown) => this.#giveUp(step, error))
      .finally(() => {
        isDone = true;
      });
    const end = this.#clock.now() + defaultWithinMs;
    for (let turns = 0; ; turns++) {
      await this.#quiet();
      const next = this.#nextTimer();
      if (isDone) {
        return taken;
      }
      // A step may load code, which takes real time.
      if (turns < stepTurns) {
        await realTurn();
        continue;
      }
      if (next === undefined || next > end) {
        this.#giveUp(step, new KubeError("DeadlineExceeded", "it does not end"));
        return undefined;
      }
      await this.#advanceTo(next);
    }
  }

  // Time

  #quiet(): Promise<void> {
    const { work, store, watches } = this.#context;
    return untilQuiet(
      () => {
        for (const reason of takeRejections()) {
          this.#log.fail(
            "unhandled rejection",
            reason instanceof Error ? reason.message : String(reason),
          );
        }
        if (this.#isOver || this.#log.isEndless) {
          return 0;
        }
        return work.active > 0 || this.#processes.isStarting
          ? undefined
          : work.begun + Number(store.revision) + watches.taken + this.#calls.calls.length;
      },
      () => {
        if (this.#resources !== undefined) {
          for (const type of moreResources(this.#resources)) {
            this.#log.unexplored.add(`real I/O and timers of the process: ${type}`);
          }
        }
        this.#processes.startDue();
        this.#events.pump();
      },
    );
  }

  async #advanceTo(time: number): Promise<void> {
    await this.#clock.advance(Math.max(0, time - this.#clock.now()));
  }

  #nextTimer(): number | undefined {
    const { nextReaction } = this.#context.work;
    const { nextTimer } = this.#clock;
    return nextReaction === undefined
      ? nextTimer
      : Math.min(nextReaction, nextTimer ?? Number.POSITIVE_INFINITY);
  }

  /** Waits until nothing goes on, and for the time that a user waits. */
  async #rest(): Promise<void> {
    let end = this.#clock.now() + stepGapMs;
    while (!this.#isOver && !this.#log.isEndless) {
      await this.#quiet();
      if (this.#events.rest()) {
        end = this.#clock.now() + stepGapMs;
        continue;
      }
      const next = this.#nextTimer();
      if (next === undefined || next > end) {
        await this.#advanceTo(end);
        await this.#quiet();
        return;
      }
      await this.#advanceTo(next);
    }
  }

  /** Waits until the world is right, and stays right. */
  async #converge(): Promise<void> {
    const { scenario, expected } = this.#options;
    const end = this.#clock.now() + (scenario.withinMs ?? defaultWithinMs);
    const forMs = expected === undefined ? restWithoutFaultsMs : restMs;
    let right: { readonly sinceMs: number; readonly writes: number } | undefined;
    let disturbed = 0;
    for (;;) {
      await this.#quiet();
      if (this.#isOver || this.#log.isEndless) {
        return;
      }
      if (this.#events.rest()) {
        continue;
      }
      const now = this.#clock.now();
      // A process that has just started may write all that it wants once more, and after a fault it tries again.
      const disturbances = this.#processes.starts + this.#schedule.struck.length;
      if (disturbances !== disturbed) {
        disturbed = disturbances;
        right = undefined;
      }
      right = this.#isRight() ? (right ?? { sinceMs: now, writes: this.#calls.writes }) : undefined;
      const rightMs = right === undefined ? 0 : now - right.sinceMs;
      this.#restingFrom =
        rightMs < restMs ? undefined : (this.#restingFrom ?? this.#calls.calls.length);
      if (right !== undefined && rightMs >= forMs && this.#processes.pausedName === undefined) {
        break;
      }
      if (this.#resumeDue(rightMs >= forMs)) {
        right = undefined;
        continue;
      }
      if (now >= end) {
        this.#noteEnd();
        return;
      }
      const nextLook = now + (rightMs < restMs ? restMs - rightMs : Math.max(1, forMs - rightMs));
      await this.#advanceTo(Math.min(this.#nextTimer() ?? end, nextLook, end));
    }
    this.#restWrites = this.#calls.writes - right.writes;
    if (expected !== undefined && this.#restWrites > 2 * expected.restWrites + 1) {
      const seconds = forMs / 1_000;
      this.#log.fail(
        "endless writes",
        `${this.#restWrites} writes in ${seconds} s in which nothing should change`,
      );
    }
  }

  /** Lets a leader continue that stands still, once another one leads and the world is right, or after a long time. */
  #resumeDue(isRight: boolean): boolean {
    const { pausedMs, pausedName } = this.#processes;
    return (
      pausedName !== undefined &&
      (pausedMs > longestPauseMs || (isRight && this.#leases.lostTo(pausedName) !== undefined)) &&
      this.#processes.resume()
    );
  }

  /** Records that the world is not right in the end. */
  #noteEnd(): void {
    const { scenario, expected } = this.#options;
    this.#didRest = this.#clock.now() - this.#committedMs >= restWithoutFaultsMs;
    if (scenario.converged !== undefined) {
      this.#log.fail(
        "did not converge",
        problemOf(scenario.converged, this.#world) ?? "it is not right",
      );
    } else if (expected !== undefined) {
      this.#log.fail("did not converge", "the world is not that of the run without faults");
    } else {
      this.#log.unexplored.add(
        "the end: without faults the operator never stops writing; give converged, which says what is right",
      );
    }
  }

  #isRight(): boolean {
    const { scenario, expected } = this.#options;
    if (scenario.converged !== undefined) {
      return problemOf(scenario.converged, this.#world) === undefined;
    }
    if (expected !== undefined) {
      return this.#normalWorld().text === expected.world.text;
    }
    const isStill = this.#seenCommits === this.#commits;
    this.#seenCommits = this.#commits;
    return isStill;
  }

  #normalWorld(): NormalWorld {
    const { store } = this.#context;
    const version = `${store.revision} ${this.#calls.calls.length}`;
    if (this.#normal?.version !== version) {
      const { ignore } = this.#options.scenario;
      const world = normalWorld(this.#written.objects(store), this.#externals, ignore);
      this.#normal = { version, world };
    }
    return this.#normal.world;
  }
}
