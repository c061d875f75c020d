import { KubeError } from "@typekube/core";
import type { Client } from "typekube";
import type { ApiServer } from "../../../api-server/api-server.js";
import { serverParts } from "../../../api-server/server-parts.js";
import type { ServerContext } from "../../../context/server-context.js";
import type { VirtualClock } from "../../../time/virtual-clock.js";
import type { ExploredFault } from "../faults/explored-fault.js";
import type { RunResult } from "../record/run-result.js";
import type { Externals } from "../scenario/externals.js";
import type { Scenario } from "../scenario/scenario.js";
import type { NormalWorld } from "../world/normal-world.js";
import { RunWorld } from "../world/run-world.js";
import { CallBook } from "./call-book.js";
import { EventGate } from "./event-gate.js";
import type { Expectation } from "./expectation.js";
import { FaultSchedule } from "./fault-schedule.js";
import { LeaseWatch } from "./lease-watch.js";
import { Processes } from "./processes.js";
import { realTime, turns as realTurns } from "./quiet.js";
import { moreResources, realResources } from "./real-resources.js";
import { takeRejections } from "./rejections.js";
import { RunLog } from "./run-log.js";
import { RunTime } from "./run-time.js";

/** One run of a scenario. */
export interface PlayOptions<X extends Externals> {
  /** The server with everything that exists at the beginning; each run gets a fork. */
  readonly base: ApiServer<VirtualClock>;
  readonly scenario: Scenario<X>;
  /** The steps that happen: numbers from 1. */
  readonly steps: readonly number[];
  readonly faults: readonly ExploredFault[];
  readonly seed: number;
  /** True for a run that waits for code that is being loaded. Default false. */
  readonly isPatient?: boolean | undefined;
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
/** Number of ends with an error after which a process counts as one that ends again and again. */
const manyEnds = 5;
/** Real milliseconds for which a patient run waits when nothing goes on. */
const patienceMs = 20;
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
    run.end();
    // Rejections that the end of a run causes belong to no operator.
    await realTurns();
    takeRejections();
  }
}

class Play<X extends Externals> {
  readonly #options: PlayOptions<X>;
  readonly #api: ApiServer<VirtualClock>;
  readonly #context: ServerContext;
  readonly #log: RunLog;
  readonly #time: RunTime;
  readonly #schedule: FaultSchedule;
  readonly #events: EventGate;
  readonly #leases: LeaseWatch;
  readonly #calls: CallBook;
  readonly #processes: Processes<X>;
  readonly #world: RunWorld<X>;
  readonly #resources: ReadonlyMap<string, number> | undefined;
  #restWrites = 0;
  #didRest = false;
  /** Calls up to the moment after which nothing more should happen. */
  #restingFrom: number | undefined;
  /** Steps that happened early. */
  readonly #early: Set<number> = new Set();
  /** The early step in progress. */
  #waiting: number | undefined;
  #isOver = false;
  #impossible: string | undefined;
  #user: Client | undefined;

  constructor(options: PlayOptions<X>) {
    const { base, scenario, faults, seed, expected, isPatient = false } = options;
    this.#options = options;
    this.#api = base.fork();
    this.#context = serverParts(this.#api).context;
    this.#log = new RunLog(this.#api.clock);
    this.#schedule = new FaultSchedule(faults);
    this.#time = new RunTime({
      context: this.#context,
      clock: this.#api.clock,
      patienceMs: isPatient ? patienceMs : 0,
      progress: () => this.#progress(),
      act: () => this.#passOn(),
    });
    this.#resources = expected === undefined ? realResources() : undefined;
    const { store, watches } = this.#context;
    const log = this.#log;
    const schedule = this.#schedule;
    this.#world = new RunWorld(this.#context, scenario, (name, problem) => {
      if (!this.#isOver) {
        log.fail("invariant violated", `${name}: ${problem}`);
      }
    });
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
      externals: this.#world.externals,
      seed,
      log,
      fateOf: (process, facts, request) => this.#calls.fateOf(process, facts, request),
      onGone: ({ name }) => this.#events.drop(name),
    });
  }

  /** Plays all steps, and waits for the end. */
  async all(): Promise<void> {
    await this.#rest();
    for (const step of this.#options.steps) {
      if (this.#isEnding) {
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

  /** Ends the run. Its server holds nothing but memory, and closing it would only let everybody notice. */
  end(): void {
    this.#isOver = true;
    this.#processes.endAll();
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
    await this.#options.scenario.steps[name]?.(this.#user, this.#world.world);
    this.#processes.stepTaken();
  }

  async #takeEarly(step: number): Promise<void> {
    // Steps keep their order: other faults may have moved this call to before an earlier step.
    if (this.#options.steps.find((one) => one > this.#calls.step) !== step) {
      return;
    }
    this.#early.add(step);
    this.#waiting = step;
    try {
      await this.#act(step);
    } catch (error) {
      this.#giveUp(step, error);
    }
    this.#waiting = undefined;
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
    const end = this.#time.now + defaultWithinMs;
    for (let turns = 0; ; turns++) {
      await this.#time.quiet();
      const next = this.#time.nextTimer;
      if (isDone) {
        return taken;
      }
      // A step may load code, which takes real time.
      if (turns < stepTurns) {
        await realTime(1);
        continue;
      }
      if (next === undefined || next > end) {
        this.#giveUp(step, new KubeError("DeadlineExceeded", "it does not end"));
        return undefined;
      }
      await this.#time.advanceTo(next);
    }
  }

  // Time

  /** Returns a number that grows while the operator does something. */
  #progress(): number | undefined {
    for (const reason of takeRejections()) {
      const message = reason instanceof Error ? reason.message : String(reason);
      this.#log.fail("unhandled rejection", message);
    }
    return this.#processes.isStarting && !this.#isEnding ? undefined : this.#calls.calls.length;
  }

  /** True when nothing that goes on matters any more. */
  get #isEnding(): boolean {
    return this.#isOver || this.#log.isEndless;
  }

  /** Passes on what is due. */
  #passOn(): void {
    if (this.#resources !== undefined) {
      for (const type of moreResources(this.#resources)) {
        this.#log.unexplored.add(`real I/O and timers of the process: ${type}`);
      }
    }
    this.#processes.startDue();
    this.#events.pump();
  }

  /** Waits until nothing goes on, and for the time that a user waits. */
  async #rest(): Promise<void> {
    let end = this.#time.now + stepGapMs;
    while (!this.#isEnding) {
      await this.#time.quiet();
      if (this.#waiting !== undefined) {
        this.#giveUp(this.#waiting, new Error("it waits for the call before which it happens"));
        return;
      }
      if (this.#events.rest()) {
        end = this.#time.now + stepGapMs;
        continue;
      }
      const next = this.#time.nextTimer;
      if (next === undefined || next > end) {
        await this.#time.advanceTo(end);
        await this.#time.quiet();
        return;
      }
      await this.#time.advanceTo(next);
    }
  }

  /** Waits until the world is right, and stays right. */
  async #converge(): Promise<void> {
    const { scenario, expected } = this.#options;
    const end = this.#time.now + (scenario.withinMs ?? defaultWithinMs);
    const forMs = expected === undefined ? restWithoutFaultsMs : restMs;
    let right: { readonly sinceMs: number; readonly writes: number } | undefined;
    let disturbed = 0;
    for (;;) {
      await this.#time.quiet();
      if (this.#isEnding) {
        return;
      }
      if (this.#events.rest()) {
        continue;
      }
      const now = this.#time.now;
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
      await this.#time.advanceTo(Math.min(this.#time.nextTimer ?? end, nextLook, end));
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
    this.#didRest = this.#time.now - this.#world.committedMs >= restWithoutFaultsMs;
    const { ends } = this.#processes;
    if (expected !== undefined && ends.length >= manyEnds) {
      this.#log.fail("did not converge", `the operator ends again and again: ${ends.at(-1)}`);
    } else if (scenario.converged !== undefined) {
      this.#log.fail("did not converge", this.#world.problem() ?? "it is not right");
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
    if (expected !== undefined && this.#processes.failed !== undefined) {
      return false;
    }
    if (scenario.converged !== undefined) {
      return this.#world.problem() === undefined;
    }
    return expected === undefined
      ? this.#world.isStill()
      : this.#normalWorld().text === expected.world.text;
  }

  #normalWorld(): NormalWorld {
    return this.#world.normal(this.#calls.calls.length);
  }
}
