import type { Externals } from "../scenario/externals.js";
import type { Scenario } from "../scenario/scenario.js";
import { stableMsOf, withinMsOf } from "../scenario/scenario-options.js";
import type { RunWorld } from "../world/run-world.js";
import type { CallBook } from "./call-book.js";
import type { EventGate } from "./event-gate.js";
import type { Expectation } from "./expectation.js";
import type { FaultSchedule } from "./fault-schedule.js";
import type { LeaseWatch } from "./lease-watch.js";
import type { Processes } from "./processes.js";
import type { RunLog } from "./run-log.js";
import type { RunTime } from "./run-time.js";

/** Shortest time for which the run without faults stays right: an operator may look again after a while. */
const restWithoutFaultsMs = 60_000;
/** Milliseconds after which a leader that stands still continues when no other has taken over. */
const longestPauseMs = 120_000;
/** Number of ends with an error after which a process counts as one that ends again and again. */
const manyEnds = 5;

/** Parts of a {@link Convergence}. */
export interface ConvergenceParts<X extends Externals> {
  readonly scenario: Scenario<X>;
  /** The run without faults; `undefined` for that run itself. */
  readonly expected: Expectation | undefined;
  readonly world: RunWorld<X>;
  readonly time: RunTime;
  readonly log: RunLog;
  readonly schedule: FaultSchedule;
  readonly events: EventGate;
  readonly leases: LeaseWatch;
  readonly calls: CallBook;
  readonly processes: Processes<X>;
}

/** The time after the last step of one run, in which the world must become right, and stay right. */
export class Convergence<X extends Externals> {
  readonly #parts: ConvergenceParts<X>;
  /** For how long the world must stay right. */
  readonly #stableMs: number;
  /** The operator's writes while the world was right. */
  restWrites = 0;
  /** True when nothing went on any more at the end of a run that did not become right. */
  didRest = false;
  /** Number of calls up to the moment after which nothing more should happen. */
  restingFrom: number | undefined;

  constructor(parts: ConvergenceParts<X>) {
    this.#parts = parts;
    this.#stableMs = stableMsOf(parts.scenario);
  }

  /** Waits until the world is right, and stays right. */
  async wait(): Promise<void> {
    const { scenario, expected, time, log, events, calls, processes } = this.#parts;
    const end = time.now + withinMsOf(scenario);
    const stableMs = this.#stableMs;
    const forMs = expected === undefined ? Math.max(restWithoutFaultsMs, stableMs) : stableMs;
    let right: { readonly sinceMs: number; readonly writes: number } | undefined;
    let disturbed = 0;
    let isRestless = false;
    for (;;) {
      await time.quiet();
      if (log.isOver) {
        return;
      }
      if (events.rest()) {
        continue;
      }
      const { now } = time;
      const disturbances = this.#disturbances;
      if (disturbances !== disturbed) {
        disturbed = disturbances;
        isRestless = false;
        right = undefined;
      }
      right = this.#isRight() ? (right ?? { sinceMs: now, writes: calls.writes }) : undefined;
      const rightMs = right === undefined ? 0 : now - right.sinceMs;
      this.restingFrom = rightMs < stableMs ? undefined : (this.restingFrom ?? calls.calls.length);
      if (right !== undefined && rightMs >= forMs && processes.pausedName === undefined) {
        this.restWrites = calls.writes - right.writes;
        if (!this.#isTooMuch(this.restWrites)) {
          return;
        }
        if (isRestless) {
          this.#noteWrites(forMs);
          return;
        }
        // An operator may begin late, or write something once more after a while: what has no end goes on.
        isRestless = true;
        right = undefined;
        continue;
      }
      if (this.#resumeDue(rightMs >= forMs)) {
        right = undefined;
        continue;
      }
      if (now >= end) {
        // Right at the end, but not for long: a fault or a late write came shortly before.
        if (expected === undefined || right === undefined) {
          this.#noteEnd();
        }
        return;
      }
      const nextLook = now + Math.max(1, this.#waitMs(rightMs, forMs));
      await time.advanceTo(Math.min(time.nextTimer ?? end, nextLook, end));
    }
  }

  /** A process that has just started may write all that it wants once more, and after a fault it tries again. */
  get #disturbances(): number {
    const { processes, schedule } = this.#parts;
    return processes.starts + processes.recoveries + schedule.struck.length;
  }

  /** Milliseconds after which the run may go on although no timer fires. */
  #waitMs(rightMs: number, forMs: number): number {
    if (rightMs < this.#stableMs) {
      return this.#stableMs - rightMs;
    }
    return rightMs < forMs ? forMs - rightMs : longestPauseMs - this.#parts.processes.pausedMs;
  }

  /** Returns whether there are more writes while the world is right than without faults. */
  #isTooMuch(writes: number): boolean {
    const { expected } = this.#parts;
    return expected !== undefined && writes > 2 * expected.restWrites + 1;
  }

  /** Records writes that don't end. */
  #noteWrites(inMs: number): void {
    this.#parts.log.fail(
      "endless writes",
      `${this.restWrites} writes in ${inMs / 1_000} s in which nothing should change`,
    );
  }

  /** Lets a leader continue that stands still, once another one leads and the world is right, or after a long time. */
  #resumeDue(isRight: boolean): boolean {
    const { processes, leases } = this.#parts;
    const { pausedMs, pausedName } = processes;
    return (
      pausedName !== undefined &&
      (pausedMs >= longestPauseMs || (isRight && leases.lostTo(pausedName) !== undefined)) &&
      processes.resume()
    );
  }

  /** Records that the world is not right in the end. */
  #noteEnd(): void {
    const { scenario, expected, world, time, log, processes } = this.#parts;
    this.didRest = time.now - world.committedMs >= restWithoutFaultsMs;
    const { ends } = processes;
    if (expected !== undefined && ends.length >= manyEnds) {
      log.fail("did not converge", `the operator ends again and again: ${ends.at(-1)}`);
    } else if (scenario.converged !== undefined) {
      log.fail("did not converge", world.problem() ?? "it is not right");
    } else if (expected !== undefined) {
      log.fail("did not converge", "the world is not that of the run without faults");
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
      ? world.isStill()
      : world.normal(calls.calls.length).text === expected.world.text;
  }
}
