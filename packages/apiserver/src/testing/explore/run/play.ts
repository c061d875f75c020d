import type { ApiServer } from "../../../api-server/api-server.js";
import { serverParts } from "../../../api-server/server-parts.js";
import type { VirtualClock } from "../../../time/virtual-clock.js";
import type { ExploredFault } from "../faults/explored-fault.js";
import type { FindingKind, RunResult } from "../record/run-result.js";
import type { Externals } from "../scenario/externals.js";
import type { Scenario } from "../scenario/scenario.js";
import { withinMsOf } from "../scenario/scenario-options.js";
import { RunWorld } from "../world/run-world.js";
import { CallBook } from "./call-book.js";
import { Convergence } from "./convergence.js";
import { EventGate } from "./event-gate.js";
import type { Expectation } from "./expectation.js";
import { FaultEffects } from "./fault-effects.js";
import { FaultSchedule } from "./fault-schedule.js";
import { HiddenStates } from "./hidden-states.js";
import { LeaseWatch } from "./lease-watch.js";
import { looksWithFaults, looksWithoutFaults, Patience } from "./patience.js";
import { loopTimers, mostTimersAtOnce } from "./process-clock.js";
import { Processes } from "./processes.js";
import { turns } from "./quiet.js";
import { moreResources, realResources } from "./real-resources.js";
import { takeRejections } from "./rejections.js";
import { RunLog } from "./run-log.js";
import { RunTime } from "./run-time.js";
import { seedMathRandom } from "./seeded-math.js";
import { StepWait } from "./step-wait.js";
import { UserClient } from "./user-client.js";
import { UserSteps } from "./user-steps.js";

/**
 * Events that a run waits for before it fails: looks of the operator, which may be rare; with `looks and code`, real time
 * passes, too, since a path that only a fault leads to may load code.
 */
export type WaitsFor = "looks and code" | "looks" | "nothing";

/** One run of a scenario. */
export interface PlayOptions<X extends Externals> {
  /** The server with everything that exists at the beginning; each run gets a fork. */
  readonly base: ApiServer<VirtualClock>;
  readonly scenario: Scenario<X>;
  /** The steps that happen: numbers from 1. */
  readonly steps: readonly number[];
  readonly faults: readonly ExploredFault[];
  readonly seed: number;
  /** Events that a run waits for before it fails. A run without faults waits for looks in any case. Default: `nothing`. */
  readonly waitsFor?: WaitsFor | undefined;
  /** Returns whether the run without faults has had its real time. Default: never. */
  readonly isOverBudget?: (() => boolean) | undefined;
  /** Steps that need virtual time without faults. Default: not known yet. */
  readonly slowSteps?: ReadonlySet<number> | undefined;
  /** The run without faults; `undefined` for that run itself. */
  readonly expected?: Expectation | undefined;
}

/** Milliseconds that a user waits between two steps. */
const stepGapMs = 1_000;
/** Real milliseconds for which a patient run waits when nothing goes on. */
const patienceMs = 20;
/** Most milliseconds after which a clock that was set back is right again, as NTP sets it. */
const longestWrongClockMs = 60_000;
/** The same as a share of `withinMs`, which leaves time for the operator to go on. */
const wrongClockShare = 1 / 4;

/** Plays a scenario once, with given faults. */
export async function play<X extends Externals>(options: PlayOptions<X>): Promise<RunResult> {
  const restoreRandom = seedMathRandom(options.seed);
  const run = new Play(options);
  try {
    await run.all();
    return run.result();
  } finally {
    run.end();
    restoreRandom();
    // Rejections that the end of a run causes belong to no operator.
    await turns();
    takeRejections();
  }
}

/** Returns whether a failure stands, however a run ends: it says nothing of the end. */
function isLasting(kind: FindingKind): boolean {
  return (
    kind === "invariant violated" ||
    kind === "unhandled rejection" ||
    kind === "writes after leadership was lost"
  );
}

/** The parts of one run, and how they act on each other. */
class Play<X extends Externals> {
  readonly #steps: readonly number[];
  readonly #log: RunLog;
  readonly #time: RunTime;
  readonly #schedule: FaultSchedule;
  readonly #events: EventGate;
  readonly #calls: CallBook;
  readonly #processes: Processes<X>;
  readonly #world: RunWorld<X>;
  readonly #client: UserClient;
  readonly #user: UserSteps<X>;
  readonly #convergence: Convergence<X>;
  readonly #resources: ReadonlyMap<string, number> | undefined;
  readonly #hidden: HiddenStates | undefined;

  constructor(options: PlayOptions<X>) {
    const { base, scenario, steps, faults, seed, slowSteps, expected } = options;
    const { waitsFor = "nothing", isOverBudget = () => false } = options;
    const api = base.fork();
    const { context } = serverParts(api);
    const { store, watches } = context;
    const log = new RunLog(api.clock);
    const schedule = new FaultSchedule(faults);
    const leases = new LeaseWatch(store);
    this.#steps = steps;
    this.#log = log;
    this.#schedule = schedule;
    this.#client = new UserClient(api);
    this.#time = new RunTime({
      context,
      clock: api.clock,
      patienceMs: waitsFor === "looks and code" ? patienceMs : 0,
      faults: () => schedule.struck.length,
      userRequests: () => this.#client.requests,
      progress: () => this.#progress(),
      act: () => this.#passOn(),
    });
    this.#world = new RunWorld(context, scenario, expected?.written, (name, problem) =>
      log.fail("invariant violated", `${name}: ${problem}`),
    );
    if (expected === undefined) {
      this.#resources = realResources();
      this.#hidden = new HiddenStates(this.#world.externals);
    }
    this.#events = new EventGate({
      watches,
      schedule,
      log,
      isOperator: (user) => user !== undefined && this.#processes.has(user),
      isReading: (name) => this.#processes.isRunning(name),
    });
    this.#calls = new CallBook({
      schedule,
      leases,
      log,
      expected,
      commits: () => this.#world.commits,
      effects: {
        crash: (process) => this.#processes.crash(process),
        replace: (isLate) => this.#processes.replace(isLate),
        pause: (process) => this.#processes.pause(process),
        jump: (process, ms) => this.#processes.jump(process, ms),
        isNextStep: (step) => this.#user.isNext(step),
        takeEarly: (step) => this.#user.takeEarly(step),
        addServerFault: (rule) => void context.faults.add(rule),
        called: () => this.#events.called(),
      },
    });
    this.#processes = new Processes({
      api,
      scenario,
      externals: this.#world.externals,
      seed,
      log,
      wrongClockMs: Math.min(longestWrongClockMs, wrongClockShare * withinMsOf(scenario)),
      fateOf: (process, facts, request) => {
        const fate = this.#calls.fateOf(process, facts, request);
        return request === undefined && this.#hidden !== undefined
          ? this.#hidden.observed(facts.resource, fate)
          : fate;
      },
      observed: (process, send) => leases.observed(process, send),
      onGone: ({ name }) => this.#events.drop(name),
      onTimer: (process, atOnce) => {
        if (atOnce > loopTimers) {
          this.#events.looped();
          this.#passOn();
        }
        if (atOnce > mostTimersAtOnce) {
          const what = `more than ${mostTimersAtOnce} timers in 0 ms`;
          log.failEndless("did not converge", `the operator fires ${what}, and no end`);
          this.#processes.crash(process);
        }
      },
    });
    const withLooks = expected === undefined || waitsFor !== "nothing";
    const effects = new FaultEffects({
      schedule,
      events: this.#events,
      processes: this.#processes,
    });
    const patience = () =>
      withLooks
        ? new Patience({
            looks: expected === undefined ? looksWithoutFaults : looksWithFaults,
            now: () => this.#time.now,
            calls: () => this.#calls.calls.length,
            pending: () => this.#processes.pending(),
            state: () => `${effects.count} ${this.#world.normal(this.#calls.calls.length).text}`,
          })
        : undefined;
    this.#user = new UserSteps({
      client: this.#client,
      scenario,
      steps,
      world: this.#world.world,
      time: this.#time,
      log,
      slowSteps,
      wait: () =>
        new StepWait({
          time: this.#time,
          effects,
          calls: this.#calls,
          withinMs: withinMsOf(scenario),
          expectedMs: expected?.longestWaitMs ?? 0,
          patience: patience(),
        }),
      endlessError: () => effects.endlessError,
      isReference: expected === undefined,
      onBegin: (step) => {
        this.#calls.step = step;
        this.#time.stir();
      },
      onTaken: () => this.#processes.stepTaken(),
    });
    this.#convergence = new Convergence({
      scenario,
      expected,
      world: this.#world,
      time: this.#time,
      log,
      schedule,
      effects,
      patience: patience(),
      isOverBudget,
      events: this.#events,
      leases,
      calls: this.#calls,
      processes: this.#processes,
    });
  }

  /** Plays all steps, and waits for the end. */
  async all(): Promise<void> {
    await this.#rest();
    for (const step of this.#steps) {
      if (this.#log.isOver) {
        return;
      }
      await this.#user.take(step);
      await this.#rest();
      this.#events.stepped();
    }
    this.#events.noMoreSteps();
    this.#processes.noMoreSteps();
    await this.#convergence.wait();
  }

  result(): RunResult {
    const { failures, trace, impossible, failedStep, isEndless, isStuck, cutShortMs, unexplored } =
      this.#log;
    const { restingFrom, restWrites, settledMs, didRest, wasLate } = this.#convergence;
    return {
      calls: this.#calls.calls.slice(0, restingFrom),
      callCount: this.#calls.calls.length,
      events: this.#events.counts,
      trace,
      world: this.#convergence.world ?? this.#world.normal(this.#calls.calls.length),
      written: this.#world.written,
      failures: failures.filter(({ kind }) => impossible === undefined || isLasting(kind)),
      impossible,
      failedStep,
      slowSteps: this.#user.slow,
      waitingSteps: this.#user.waiting,
      isEndless,
      isStuck,
      cutShortMs,
      settledMs,
      endMs: this.#log.atMs,
      longestWaitMs: this.#user.longestWaitMs,
      wasLate: wasLate || this.#user.wasLate,
      ends: this.#processes.ends,
      quits: this.#processes.quits,
      refused: this.#processes.refused,
      returned: this.#processes.returned,
      didRest,
      struck: this.#schedule.struck,
      restWrites,
      unexplored: [...unexplored, ...(this.#hidden?.unexplored ?? [])],
    };
  }

  /** Ends the run. Its server holds nothing but memory, and closing it would only let everybody notice. */
  end(): void {
    this.#processes.endAll();
    this.#client.end();
    this.#world.end();
  }

  /** Returns a number that grows while the operator does something. */
  #progress(): number | undefined {
    for (const reason of takeRejections()) {
      const message = reason instanceof Error ? reason.message : String(reason);
      this.#log.fail("unhandled rejection", message);
    }
    const { isStarting, starts } = this.#processes;
    return isStarting && !this.#log.isOver ? undefined : starts + this.#calls.calls.length;
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
    const time = this.#time;
    let end = time.now + stepGapMs;
    for (;;) {
      await time.quiet();
      this.#user.endWaiting();
      if (this.#log.isOver) {
        return;
      }
      if (this.#events.rest()) {
        time.stir();
        end = time.now + stepGapMs;
        continue;
      }
      const next = time.nextTimer;
      if (next === undefined || next > end) {
        await time.advanceTo(end);
        await time.quiet();
        return;
      }
      await time.advanceTo(next);
    }
  }
}
