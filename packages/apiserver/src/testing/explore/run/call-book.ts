import type { HttpRequest } from "@typekube/core/internal";
import type { FaultRule } from "../../../faults/fault-rule.js";
import { type Call, callMark, isBookkeeping, type RequestFacts } from "../record/call.js";
import type { Expectation } from "./expectation.js";
import type { FaultAtCall, FaultSchedule } from "./fault-schedule.js";
import type { LeaseWatch } from "./lease-watch.js";
import type { CallFate, OperatorProcess } from "./operator-process.js";
import type { RunLog } from "./run-log.js";

/** Calls of a run without faults, until they count as endless: for a search that knows nothing yet. */
const endlessWithoutFaults = 2_000;
/** The same for a run with faults, as a multiple of the calls without, and beyond that multiple. */
const endlessFactor = 8;
const endlessMore = 300;

/** Calls without a write before the end, after which it is not writing that has no end. */
const readsInSuccession = 300;

/** Last writes that tell what has no end. */
const endlessWrites = 20;

/** Effects of faults at a call on the rest of the run. */
export interface CallEffects {
  /** Ends a process without a sign. */
  crash(process: OperatorProcess): void;
  /** Starts another process after a crash. */
  replace(isLate: boolean): void;
  pause(process: OperatorProcess): void;
  jump(process: OperatorProcess, ms: number): void;
  /** Returns whether a step is the next one, so that it can be early. */
  isNextStep(step: number): boolean;
  takeEarly(step: number): Promise<void>;
  addServerFault(rule: FaultRule): void;
  /** Called after each call. */
  called(): void;
}

/** Parts of a {@link CallBook}. */
export interface CallBookParts {
  readonly schedule: FaultSchedule;
  readonly leases: LeaseWatch;
  readonly log: RunLog;
  readonly effects: CallEffects;
  /** Returns the number of writes of objects so far. */
  readonly commits: () => number;
  /** The run without faults; `undefined` in that run. */
  readonly expected: Pick<Expectation, "calls" | "isEndless"> | undefined;
}

type Fate = Omit<CallFate, "settle">;

/** Counts the calls of the operator, and decides what happens to each, as the faults of the run say. */
export class CallBook {
  readonly calls: Call[] = [];
  /** Writes so far, bookkeeping left out. */
  writes = 0;
  /** Number of the last step. */
  step = 0;
  /** Number of the last call that wrote something, renewals of Leases left out. */
  #lastWrite = 0;
  readonly #parts: CallBookParts;
  /** Calls with which the run counts as endless, while no limit was renewed. */
  readonly #most: number;
  #limit: number;

  constructor(parts: CallBookParts) {
    this.#parts = parts;
    const { expected } = parts;
    this.#most =
      expected === undefined || expected.isEndless
        ? endlessWithoutFaults
        : expected.calls * endlessFactor + endlessMore;
    this.#limit = this.#most;
  }

  /** Allows as many calls again. Call it when time has passed, in a run that may last long. */
  renew(): void {
    this.#limit = this.calls.length + this.#most;
  }

  /** Decides what happens to a call. */
  fateOf(process: OperatorProcess, facts: RequestFacts, request?: HttpRequest): CallFate {
    const { schedule, log, effects } = this.#parts;
    const call: Call = {
      ...facts,
      call: this.calls.length + 1,
      process: process.name,
      step: this.step,
      atMs: log.atMs,
      commits: this.#parts.commits(),
      isExternal: request === undefined,
    };
    this.calls.push(call);
    if (call.isWrite && call.resource !== "leases") {
      this.#lastWrite = call.call;
    }
    const holder = this.#holderInsteadOf(process);
    if (call.call > this.#limit) {
      this.#breakOff(call.call);
      effects.crash(process);
    }
    let fate: Fate = {};
    for (const fault of schedule.atCall(call.call, (one) => this.#isPossible(one, call))) {
      log.add({ type: "fault", fault, call });
      fate = { ...fate, ...this.#apply(fault, process, request) };
    }
    effects.called();
    if (call.isWrite && !isBookkeeping(call)) {
      this.#wrote(call, fate.instead === undefined && process.isRunning ? holder : undefined);
    }
    const entry: { readonly call: Call; outcome?: string } = log.add({ type: "call", call });
    return {
      ...fate,
      observe: ({ isChange, isOwn }) => {
        if (isChange) {
          call.isWrite = true;
          this.#lastWrite = Math.max(this.#lastWrite, call.call);
          this.#wrote(call, isOwn ? holder : undefined);
        }
      },
      settle: (outcome) => {
        entry.outcome = outcome;
        if (fate.afterwards === "crash") {
          effects.crash(process);
        }
      },
    };
  }

  /**
   * Returns whether a fault can occur at a call. It was chosen for a call of the run without faults, and other faults of this
   * run may have put another call in its place.
   */
  #isPossible(fault: FaultAtCall, { acceptsOldState, isWrite }: Call): boolean {
    switch (fault.type) {
      case "early":
        return this.#parts.effects.isNextStep(fault.step);
      case "refuse":
        return fault.status !== 409 || isWrite;
      case "stale":
        return acceptsOldState;
      default:
        return true;
    }
  }

  /** Returns the last writes as text, each different one once: the words of what has no end. */
  lastWrites(): string {
    const writes = this.calls.filter((call) => call.isWrite && !isBookkeeping(call));
    return [...new Set(writes.slice(-endlessWrites).map(callMark))].sort().join(", ");
  }

  /** Records that the operator's calls have no end. */
  #breakOff(calls: number): void {
    const { log } = this.#parts;
    const most = `the operator makes more than ${this.#most} calls`;
    if (calls - this.#lastWrite < readsInSuccession) {
      log.failEndless("endless writes", `${most}, and no end`, this.lastWrites());
    } else {
      const hasLease = this.calls.slice(-readsInSuccession).some(({ isWrite }) => isWrite);
      const what = hasLease ? "reads and renewals of a Lease" : "reads";
      log.failEndless(
        "did not converge",
        `${most}, the last ${readsInSuccession} of them ${what}, and no end`,
        `the last calls are ${what}`,
      );
    }
  }

  #apply(fault: FaultAtCall, process: OperatorProcess, request: HttpRequest | undefined): Fate {
    const { effects, leases } = this.#parts;
    switch (fault.type) {
      case "crash":
        effects.replace(fault.down === true);
        if (fault.when === "after") {
          return { afterwards: "crash" };
        }
        effects.crash(process);
        return {};
      case "early":
        return { before: effects.takeEarly(fault.step) };
      case "jump":
        effects.jump(process, fault.ms);
        return {};
      case "lose":
        return fault.when === "before" ? { instead: "break" } : { afterwards: "break" };
      case "pause":
        if (!leases.remember(process.name)) {
          this.#parts.log.unexplored.add(
            "writes after a lost leadership: a Lease is held by something else than the operator",
          );
        }
        effects.pause(process);
        return { instead: "break" };
      case "refuse":
        return { instead: fault.status };
      case "stale":
        effects.addServerFault({
          staleBy: fault.writes,
          when: ({ path }) => path === request?.path,
        });
        return {};
    }
  }

  /** Returns who holds the Lease now that a process held before it stood still; `undefined` when it still leads. */
  #holderInsteadOf({ name }: OperatorProcess): string | undefined {
    const { leases, log } = this.#parts;
    const shared = leases.sharedBy(name);
    if (shared !== undefined) {
      log.unexplored.add(
        `writes after a lost leadership: two processes hold the Lease ${shared} with the same identity; context.identity is different in each`,
      );
    }
    return leases.lostTo(name);
  }

  /**
   * Records a write.
   *
   * @param holder - the process that holds the Lease instead of the one that writes.
   */
  #wrote(call: Call, holder: string | undefined): void {
    this.writes += 1;
    if (holder !== undefined) {
      const message = `${call.process} writes while ${holder} holds the Lease`;
      this.#parts.log.fail("writes after leadership was lost", message, { mark: callMark(call) });
    }
  }
}
