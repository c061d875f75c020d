import { KubeError } from "@typekube/core";
import type { ApiServer } from "../../api-server/api-server.js";
import type { VirtualClock } from "../../time/virtual-clock.js";
import type { ExploredFault } from "./faults/explored-fault.js";
import { type ClassifiedFailure, classify } from "./findings/classify.js";
import type { DescribedFinding } from "./findings/finding.js";
import { lateChangeAdvice, longerMs } from "./findings/late-change.js";
import { minimize } from "./findings/minimize.js";
import { worldDifference } from "./findings/world-diff.js";
import { type Replay, replayText } from "./plan/replay.js";
import type { RunResult } from "./record/run-result.js";
import { essentialLines, traceLine } from "./record/trace.js";
import type { Expectation } from "./run/expectation.js";
import { play, type WaitsFor } from "./run/play.js";
import { described, mayReturn } from "./run/returned.js";
import type { Externals } from "./scenario/externals.js";
import type { Scenario } from "./scenario/scenario.js";
import { largestStableMs } from "./scenario/scenario-options.js";

/** A run with what it is compared with. */
export interface Judged {
  readonly result: RunResult;
  readonly failures: readonly ClassifiedFailure[];
  readonly difference: readonly string[];
}

/** A failure that was looked at once more. */
export type Description =
  /** It is confirmed, with the shortest run that shows it. */
  | {
      readonly type: "finding";
      readonly finding: DescribedFinding;
      readonly failure: ClassifiedFailure;
    }
  /** The operator only needed more time, until it looked again. */
  | { readonly type: "passes later" }
  /** The same run passes, without more time: code was still being loaded, or the operator differs from run to run. */
  | { readonly type: "passes by chance" }
  /** A second run did not show it. */
  | { readonly type: "unconfirmed" };

/** Attempts to play the run without faults twice in the same way. */
const referenceAttempts = 4;

/** Plays runs of one scenario, and judges them. */
export class Search<X extends Externals> {
  readonly #base: ApiServer<VirtualClock>;
  readonly #scenario: Scenario<X>;
  readonly #seed: number;
  readonly #isOverBudget: () => boolean;
  readonly #expectations: Map<string, Expectation | undefined> = new Map();
  /** Advice for findings, by the steps of their runs; `undefined` for steps without a late change. */
  readonly #advices: Map<string, string | undefined> = new Map();
  /** Steps that need virtual time without faults, or needed some later; `undefined` before the first run. */
  #slowSteps: ReadonlySet<number> | undefined;
  /** Runs that were judged so far. */
  runs = 0;

  /** @param isOverBudget - returns whether the real time of the search is used up. */
  constructor(
    base: ApiServer<VirtualClock>,
    scenario: Scenario<X>,
    seed: number,
    isOverBudget: () => boolean,
  ) {
    this.#base = base;
    this.#scenario = scenario;
    this.#seed = seed;
    this.#isOverBudget = isOverBudget;
  }

  /**
   * Plays the run without faults, several times.
   *
   * @throws {KubeError} `InvalidArgument` when they differ: nothing could be repeated then.
   */
  async reference(steps: readonly number[]): Promise<RunResult> {
    const begun = await this.#play({ steps, faults: [] }, undefined, "looks and code");
    const { refused, impossible, ends, calls, isEndless, cutShortMs, slowSteps } = begun;
    this.#slowSteps = slowSteps;
    if (refused !== undefined) {
      throw refused;
    }
    if (impossible !== undefined) {
      throw new KubeError("InvalidArgument", `a step fails without any fault: ${impossible}`);
    }
    if (ends.length > 0) {
      throw new KubeError("InvalidArgument", `the operator ends without any fault: ${ends[0]}`);
    }
    if (calls.length === 0) {
      throw noCalls(begun);
    }
    if (isEndless || cutShortMs !== undefined) {
      this.#expectations.set(steps.join(), expectationOf(begun));
      return begun;
    }
    // A run that still loads code, which takes real time, differs from one that waits for it.
    let patient = begun;
    let first = await this.#play({ steps, faults: [] });
    let difference = differenceOf(first, patient);
    for (let attempt = 0; difference !== undefined && attempt < referenceAttempts; attempt++) {
      if (this.#isOverBudget()) {
        difference = undefined;
        break;
      }
      patient = await this.#play({ steps, faults: [] }, undefined, "looks and code");
      first = await this.#play({ steps, faults: [] });
      difference = differenceOf(first, patient);
    }
    if (difference !== undefined) {
      throw new KubeError(
        "InvalidArgument",
        `two runs without faults differ, first ${difference}`,
        {
          hint: "use the clock, the random numbers and the client of the context, and no other I/O",
        },
      );
    }
    this.#expectations.set(steps.join(), expectationOf(first));
    return first;
  }

  /** Seed of the operator's random numbers. */
  get seed(): number {
    return this.#seed;
  }

  /** Returns a search of the same scenario with another seed for the operator's random numbers. */
  withSeed(seed: number): Search<X> {
    return new Search(this.#base, this.#scenario, seed, this.#isOverBudget);
  }

  /** Returns a run of this search as text that repeats it. */
  replayText({ steps, faults }: Replay): string {
    return replayText({ steps, faults, seed: this.#seed });
  }

  /** Plays a run and judges it; `undefined` when its steps can't be compared with anything. */
  async judge(replay: Replay, waitsFor: WaitsFor = "nothing"): Promise<Judged | undefined> {
    const judged = await this.rehearse(replay, waitsFor);
    this.runs += judged === undefined ? 0 : 1;
    return judged;
  }

  /** Plays a run and judges it, as {@link judge} does, but does not count it. */
  async rehearse(replay: Replay, waitsFor: WaitsFor = "nothing"): Promise<Judged | undefined> {
    const expected = await this.#expectation(replay.steps);
    if (expected === undefined) {
      return undefined;
    }
    const result = await this.#play(replay, expected, waitsFor);
    // A step that waited for the operator once need not wait for code that is being loaded again.
    this.#slowSteps = new Set([...(this.#slowSteps ?? []), ...result.waitingSteps]);
    if (result.failures.length === 0) {
      return { result, failures: [], difference: [] };
    }
    const difference = worldDifference(expected.world, result.world);
    // A run that was broken off is somewhere on its way.
    const isOnItsWay = result.isEndless || result.isStuck;
    const isComparable = this.#scenario.converged === undefined && !isOnItsWay;
    return {
      result,
      failures: result.failures.map((failure) =>
        classify(failure, difference, isComparable, result.world, result.didRest),
      ),
      difference: result.isStuck ? [] : difference.lines,
    };
  }

  /**
   * Plays a run, and judges it. If it fails, it is played once more and waits for code that is being loaded: a path that
   * only a fault leads to may load some, for which virtual time must not pass.
   */
  async confirm(replay: Replay): Promise<Judged | undefined> {
    const judged = await this.judge(replay);
    return judged?.failures.length === 0 ? judged : this.judge(replay, "looks and code");
  }

  /**
   * Shortens a run that failed, and describes it.
   *
   * @param marks - marks of the failure, one of which the shortest run must still have.
   */
  async describe(replay: Replay, marks: readonly string[], seed?: number): Promise<Description> {
    // The run without faults was compared with one that waits for code.
    const waitsFor = replay.faults.length === 0 ? "looks" : "looks and code";
    const again = await this.judge(replay, waitsFor);
    if (again === undefined || !hasMark(again, marks)) {
      const { failures = [], result } = again ?? {};
      if (failures.length > 0) {
        return { type: "unconfirmed" };
      }
      if (result?.wasLate) {
        return { type: "passes later" };
      }
      const repeated = await this.judge(replay);
      return { type: repeated?.failures.length === 0 ? "passes by chance" : "unconfirmed" };
    }
    const shortened = async (waitsFor: WaitsFor) => {
      const shortest = await minimize(replay, async (candidate) => {
        const judged = this.#isOverBudget() ? undefined : await this.judge(candidate, waitsFor);
        return judged !== undefined && hasMark(judged, marks);
      });
      const judged = (await this.judge(shortest, "looks")) as Judged;
      return { shortest, judged };
    };
    let found = await shortened("nothing");
    if (!hasMark(found.judged, marks)) {
      // A shorter run only fails while nothing waits for the operator's next look.
      found = await shortened("looks");
    }
    const { shortest, judged } = found;
    const failure = judged.failures.find((one) => one.marks.some((mark) => marks.includes(mark)));
    return failure === undefined
      ? { type: "unconfirmed" }
      : { type: "finding", finding: await this.advised(shortest, judged, failure, seed), failure };
  }

  /** Describes a failure of a run, with advice. */
  async advised(
    replay: Replay,
    judged: Judged,
    failure: ClassifiedFailure,
    seed?: number,
  ): Promise<DescribedFinding> {
    const isAboutEnd = failure.isEnd && replay.faults.length > 0;
    const advice = isAboutEnd ? await this.#advice(replay.steps) : undefined;
    const finding = this.finding(replay, judged, failure, seed);
    return advice === undefined ? finding : { ...finding, advice };
  }

  /** Describes a failure of a run. */
  finding(
    { steps, faults }: Replay,
    { result, difference }: Judged,
    { kind, message, note }: ClassifiedFailure,
    seed?: number,
  ): DescribedFinding {
    const names = Object.keys(this.#scenario.steps);
    // A search whose budget is over shortens nothing.
    const occurred = faults.filter((fault) => result.struck.includes(fault));
    return {
      kind,
      message,
      faults: occurred,
      steps: steps.map((step) => names[step - 1] as string),
      lines: essentialLines(result.trace, note),
      allLines: result.trace.map(traceLine),
      difference,
      ...(seed === undefined || occurred.length < 2 ? {} : { seed }),
      replay: this.replayText({ steps, faults: occurred }),
    };
  }

  /** Returns what to change in the scenario when the operator changes the world without faults, too, after more time. */
  async #advice(steps: readonly number[]): Promise<string | undefined> {
    const expected = await this.#expectation(steps);
    const key = steps.join();
    if (expected === undefined || this.#scenario.converged !== undefined || this.#isOverBudget()) {
      return undefined;
    }
    const stableMs = longerMs(expected, largestStableMs);
    if (stableMs !== undefined && !this.#advices.has(key)) {
      const scenario = { ...this.#scenario, stableMs, withinMs: undefined };
      const longer = await this.#play({ steps, faults: [] }, undefined, "looks", scenario);
      const isLater =
        longer.impossible === undefined &&
        longer.settledMs > expected.settledMs &&
        longer.world.text !== expected.world.text;
      this.#advices.set(key, isLater ? lateChangeAdvice(longer) : undefined);
    }
    return this.#advices.get(key);
  }

  /** Returns the end of the run without faults; `undefined` when some step can't be taken without those left out. */
  async #expectation(steps: readonly number[]): Promise<Expectation | undefined> {
    const key = steps.join();
    if (!this.#expectations.has(key)) {
      const result = await this.#play({ steps, faults: [] });
      this.#expectations.set(
        key,
        result.impossible === undefined &&
          !result.failures.some(({ kind }) => kind === "did not converge")
          ? expectationOf(result)
          : undefined,
      );
    }
    return this.#expectations.get(key);
  }

  #play(
    {
      steps,
      faults,
    }: { readonly steps: readonly number[]; readonly faults: readonly ExploredFault[] },
    expected?: Expectation,
    waitsFor: WaitsFor = "nothing",
    scenario: Scenario<X> = this.#scenario,
  ): Promise<RunResult> {
    return play({
      base: this.#base,
      scenario,
      steps,
      faults,
      seed: this.#seed,
      expected,
      slowSteps: this.#slowSteps,
      waitsFor,
      isOverBudget: this.#isOverBudget,
    });
  }
}

/** Returns whether a run has a failure with one of some marks. */
function hasMark({ failures }: Judged, marks: readonly string[]): boolean {
  return failures.some((failure) => failure.marks.some((mark) => marks.includes(mark)));
}

/** Returns the error of an operator that does nothing. */
function noCalls({ quits, returned }: RunResult): KubeError {
  const end = returned === undefined ? "by itself" : `with ${described(returned)}`;
  const what = quits === 0 ? "" : `, and ends ${end}`;
  return new KubeError("InvalidArgument", `the operator makes no calls without any fault${what}`, {
    hint: mayReturn,
  });
}

function expectationOf(result: RunResult): Expectation {
  const { callCount, ...rest } = result;
  const { world, written, isEndless, settledMs, endMs, longestWaitMs, restWrites } = rest;
  return {
    world,
    written,
    calls: callCount,
    isEndless,
    settledMs,
    endMs,
    longestWaitMs,
    restWrites,
  };
}

/** Returns where two runs differ first. */
function differenceOf(one: RunResult, two: RunResult): string | undefined {
  const [a, b] = [one, two].map(({ trace }) =>
    trace.map((entry) => JSON.stringify(traceLine(entry))),
  ) as [string[], string[]];
  const at = a.findIndex((line, index) => line !== b[index]);
  const entry = at >= 0 ? one.trace[at] : a.length < b.length ? two.trace[a.length] : undefined;
  if (entry !== undefined) {
    const { who, what } = traceLine(entry);
    return `at "${who}: ${what}"`;
  }
  const [changed] = worldDifference(one.world, two.world).lines;
  return changed === undefined ? undefined : `in ${changed.trim()}`;
}
