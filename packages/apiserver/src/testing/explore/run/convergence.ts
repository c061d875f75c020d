import type { Externals } from "../scenario/externals.js";
import { isLimited, stableMsOf, withinMsOf } from "../scenario/scenario-options.js";
import type { NormalWorld } from "../world/normal-world.js";
import { notTrue } from "../world/world.js";
import type { ConvergenceParts } from "./convergence-parts.js";
import { longestPauseMs } from "./fault-effects.js";
import { mostTimersInWait } from "./patience.js";

/** Shortest time for which the run without faults stays right: an operator may look again after a while. */
const restWithoutFaultsMs = 60_000;
/** Milliseconds after the last step from which on calls count as endless only when no time passes between them. */
const callLimitMs = 600_000;

/** Milliseconds between two looks at a world that is not right for long, when no timer fires. */
const rareLookMs = 300_000;

/** Timers after the last step, beyond which a run whose world is right does not go on: the operator wakes all the time. */
const mostTimers = 5_000;

/** A time in which the world is right. */
interface Right {
  readonly sinceMs: number;
  /** The operator's writes before it. */
  readonly writes: number;
  /** Its writes in the time for which the world must stay right; `undefined` until then. */
  restWrites?: number;
}

/** The end of a run without faults, as far as nothing else followed. */
interface Rest {
  readonly world: NormalWorld;
  readonly restingFrom: number | undefined;
  readonly settledMs: number;
}

/** The time after the last step of one run, in which the world must become right, and stay right. */
export class Convergence<X extends Externals> {
  readonly #parts: ConvergenceParts<X>;
  /** For how long the world must stay right. */
  readonly #stableMs: number;
  /** The same in this run. */
  readonly #forMs: number;
  /** True when the world must be right at the end, and a look after it does not count. */
  readonly #isLimited: boolean;
  #startMs = 0;
  /** Looks at the world so far, about one for each timer. */
  #looks = 0;
  #endMs = 0;
  #right: Right | undefined;
  #disturbed = 0;
  #isRestless = false;
  /** The first time without faults at which the world was still for long enough. */
  #firstRest: Rest | undefined;
  /** The world at the end, if the run went on after it. */
  world: NormalWorld | undefined;
  /** The operator's writes while the world was right. */
  restWrites = 0;
  /** Milliseconds until the world was right for the last time. */
  settledMs = 0;
  /** True when nothing went on any more at the end of a run that did not become right. */
  didRest = false;
  /** True when the world became right only after its time, when the operator looked again. */
  wasLate = false;
  /** Number of calls up to the moment after which nothing more should happen. */
  restingFrom: number | undefined;

  constructor(parts: ConvergenceParts<X>) {
    this.#parts = parts;
    const { scenario, expected } = parts;
    this.#stableMs = stableMsOf(scenario);
    this.#forMs =
      expected === undefined ? Math.max(restWithoutFaultsMs, this.#stableMs) : this.#stableMs;
    this.#isLimited = isLimited(scenario);
  }

  /** Waits until the world is right, and stays right. */
  async wait(): Promise<void> {
    const { scenario, expected, time, log, events } = this.#parts;
    const withinMs = withinMsOf(scenario);
    // A fault may cost one more look of an operator that looks rarely.
    const settleMs = this.#isLimited ? 0 : 2 * (expected?.settledMs ?? 0) + 2 * this.#stableMs;
    this.#startMs = time.now;
    this.#endMs = time.now + Math.max(withinMs, settleMs);
    for (;;) {
      await time.quiet();
      if (log.isOver) {
        return;
      }
      if (events.rest()) {
        time.stir();
        continue;
      }
      if (this.#isDone()) {
        return;
      }
      const { now } = time;
      const nextLook = now + Math.max(1, this.#waitMs);
      const end = now < this.#endMs ? this.#endMs : nextLook;
      await time.advanceTo(Math.min(time.nextTimer ?? end, nextLook, end));
    }
  }

  /** Looks at the world, and acts on what it shows. Returns whether the run is over. */
  #isDone(): boolean {
    const { time, calls } = this.#parts;
    this.#look();
    if (time.now - this.#startMs >= callLimitMs) {
      calls.renew();
      time.hurry();
    }
    this.#looks += 1;
    if (this.#isCutShort() || this.#wakesTooOften()) {
      return true;
    }
    const isStable = this.#rightMs >= this.#forMs;
    if (this.#right !== undefined && isStable && this.#parts.processes.pausedName === undefined) {
      return this.#isDoneWhen(this.#right);
    }
    if (this.#resumeDue(isStable)) {
      time.stir();
      this.#right = undefined;
      return false;
    }
    return time.now >= this.#endMs && this.#isDoneLate();
  }

  /** Returns whether the operator wakes so often that a run would take too long. */
  #wakesTooOften(): boolean {
    const { log, processes } = this.#parts;
    // A world that was right for long enough may still wait for a rare look.
    const isRight =
      this.#right !== undefined &&
      this.#rightMs < this.#forMs &&
      processes.pausedName === undefined;
    if (this.#looks <= (isRight ? mostTimers : mostTimersInWait)) {
      return false;
    }
    log.unexplored.add(
      isRight
        ? `mistakes that show later: the operator wakes so often that runs end after ${mostTimers} timers; let it wait longer, or for events`
        : `runs in which the world is not right, or a rare look is still to come, after ${mostTimersInWait} timers: the operator wakes too often; let it wait longer, or for events`,
    );
    return true;
  }

  /** Returns whether the budget ends a run without faults that takes long. */
  #isCutShort(): boolean {
    const { expected, time, log, isOverBudget } = this.#parts;
    const afterMs = time.now - this.#startMs;
    if (expected !== undefined || afterMs <= 2 * restWithoutFaultsMs || !isOverBudget()) {
      return false;
    }
    if (this.#firstRest === undefined) {
      log.cutShort(afterMs);
    } else {
      this.#returnToRest(this.#firstRest, "the budget ended the run without faults before them");
    }
    return true;
  }

  #look(): void {
    const { time, calls } = this.#parts;
    const disturbances = this.#disturbances;
    if (disturbances !== this.#disturbed) {
      this.#disturbed = disturbances;
      this.#isRestless = false;
      this.#right = undefined;
    }
    this.#right = this.#isRight()
      ? (this.#right ?? { sinceMs: time.now, writes: calls.writes })
      : undefined;
    this.restingFrom =
      this.#rightMs < this.#stableMs ? undefined : (this.restingFrom ?? calls.calls.length);
  }

  /** Milliseconds for which the world has been right. */
  get #rightMs(): number {
    return this.#right === undefined ? 0 : this.#parts.time.now - this.#right.sinceMs;
  }

  /** Returns whether a run is over whose world has been right for long enough. */
  #isDoneWhen(right: Right): boolean {
    const { time, calls } = this.#parts;
    right.restWrites ??= calls.writes - right.writes;
    this.restWrites = right.restWrites;
    this.settledMs = right.sinceMs - this.#startMs;
    if (!this.#isTooMuch(this.restWrites)) {
      this.wasLate = time.now > this.#endMs;
      return !this.#mayLookAgain();
    }
    if (this.#isRestless) {
      this.#noteWrites(this.#forMs);
      return true;
    }
    // An operator may begin late, or write something once more after a while: what has no end goes on.
    this.#isRestless = true;
    this.#right = undefined;
    return false;
  }

  /** Returns whether an operator may change a world without faults that is still, since its next look is yet to come. */
  #mayLookAgain(): boolean {
    const { scenario, expected, patience, world, calls, time } = this.#parts;
    if (expected !== undefined || scenario.converged !== undefined) {
      return false;
    }
    this.#firstRest ??= {
      world: world.normal(calls.calls.length),
      restingFrom: this.restingFrom,
      settledMs: this.settledMs,
    };
    time.hurry();
    const hasTime = !this.#isLimited || time.now < this.#endMs;
    return hasTime && patience?.isOver() === false;
  }

  /** Returns whether a run is over whose time is over. */
  #isDoneLate(): boolean {
    const { scenario, expected, patience } = this.#parts;
    // Right at the end, but not for long: a fault or a late write came shortly before.
    const isRight = this.#right !== undefined;
    // Without faults and converged, what is not still now never is.
    const isPatient =
      expected !== undefined || scenario.converged !== undefined || patience?.hasBegun === true;
    if (!this.#isLimited && isPatient && patience?.isOver() === false) {
      return false;
    }
    if (this.#firstRest !== undefined) {
      if (!this.#isLimited && isRight && this.#rightMs < this.#forMs) {
        // It changed late, and may be still from now on.
        return false;
      }
      this.#returnToRest(
        this.#firstRest,
        "each changes the world again; give converged, which says what is right",
      );
    } else if (expected === undefined || !isRight) {
      this.#noteEnd();
    }
    return true;
  }

  /** Takes the end at which nothing went on for a while. */
  #returnToRest({ world, restingFrom, settledMs }: Rest, why: string): void {
    this.world = world;
    this.restingFrom = restingFrom;
    this.settledMs = settledMs;
    this.#parts.log.unexplored.add(`rare looks of the operator: ${why}`);
  }

  /** A process that has just started may write all that it wants once more, and after a fault it tries again. */
  get #disturbances(): number {
    const { processes, schedule } = this.#parts;
    return processes.starts + processes.recoveries + schedule.struck.length;
  }

  /** Milliseconds after which the run may go on although no timer fires. */
  get #waitMs(): number {
    const rightMs = this.#rightMs;
    if (this.#right === undefined && this.#parts.time.now - this.#startMs >= callLimitMs) {
      return rareLookMs;
    }
    if (rightMs < this.#stableMs) {
      return this.#stableMs - rightMs;
    }
    return rightMs < this.#forMs
      ? this.#forMs - rightMs
      : longestPauseMs - this.#parts.processes.pausedMs;
  }

  /** Returns whether there are more writes while the world is right than without faults. */
  #isTooMuch(writes: number): boolean {
    const { expected } = this.#parts;
    return expected !== undefined && writes > 2 * expected.restWrites + 1;
  }

  /** Records writes that don't end. */
  #noteWrites(inMs: number): void {
    const { log, calls } = this.#parts;
    log.fail(
      "endless writes",
      `${this.restWrites} writes in ${inMs / 1_000} s in which nothing should change`,
      { mark: calls.lastWrites() },
    );
  }

  /** Lets a leader continue that stands still, once another one leads and the world is right, or after a long time. */
  #resumeDue(isRight: boolean): boolean {
    const { processes, leases, effects } = this.#parts;
    const { pausedName } = processes;
    return (
      pausedName !== undefined &&
      (effects.endPause() ||
        (isRight && leases.lostTo(pausedName) !== undefined && processes.resume()))
    );
  }

  /** Records that the world is not right in the end. */
  #noteEnd(): void {
    const { scenario, expected, world, time, log, schedule, effects } = this.#parts;
    this.didRest = time.now - world.committedMs >= restWithoutFaultsMs;
    const { endlessError } = effects;
    if (expected !== undefined && endlessError !== undefined) {
      const message = `the operator ends again and again: ${endlessError}`;
      log.fail("did not converge", message, { isEnd: true });
    } else if (scenario.converged !== undefined) {
      const mark = world.problem() ?? notTrue;
      const words = mark === notTrue ? "converged is false" : mark;
      const when = schedule.isEmpty ? `, after the run without faults, at ${log.atMs} ms` : "";
      log.fail("did not converge", `${words}${when}`, { mark, isEnd: true });
    } else if (expected !== undefined) {
      log.fail("did not converge", "the world is not that of the run without faults", {
        isEnd: true,
      });
    } else {
      log.unexplored.add(
        "the end: without faults the operator never stops writing; give converged, which says what is right",
      );
    }
  }

  #isRight(): boolean {
    const { scenario, expected, world, calls, processes } = this.#parts;
    if (expected !== undefined && processes.failed !== undefined) {
      return false;
    }
    if (scenario.converged !== undefined) {
      return world.problem() === undefined;
    }
    return expected === undefined
      ? world.isStill(calls.calls.length)
      : world.normal(calls.calls.length).text === expected.world.text;
  }
}
