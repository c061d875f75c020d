import { KubeError } from "@typekube/core";
import type { ApiServer } from "../../api-server/api-server.js";
import type { VirtualClock } from "../../time/virtual-clock.js";
import type { ExploredFault } from "./faults/explored-fault.js";
import { classify } from "./findings/classify.js";
import type { Finding } from "./findings/finding.js";
import { minimize } from "./findings/minimize.js";
import { worldDifference } from "./findings/world-diff.js";
import { type Replay, replayText } from "./plan/replay.js";
import type { Failure, RunResult } from "./record/run-result.js";
import { essentialLines, traceLine } from "./record/trace.js";
import type { Expectation } from "./run/expectation.js";
import { play } from "./run/play.js";
import type { Externals } from "./scenario/externals.js";
import type { Scenario } from "./scenario/scenario.js";

/** A run with what it is compared with. */
export interface Judged {
  readonly result: RunResult;
  readonly failures: readonly Failure[];
  readonly difference: readonly string[];
}

/** Attempts to play the run without faults twice in the same way. */
const referenceAttempts = 4;

/** Plays runs of one scenario, and judges them. */
export class Search<X extends Externals> {
  readonly #base: ApiServer<VirtualClock>;
  readonly #scenario: Scenario<X>;
  readonly #seed: number;
  readonly #expectations: Map<string, Expectation | undefined> = new Map();
  /** Steps that need virtual time without faults; `undefined` before the first run. */
  #slowSteps: ReadonlySet<number> | undefined;
  /** Runs that were judged so far. */
  runs = 0;

  constructor(base: ApiServer<VirtualClock>, scenario: Scenario<X>, seed: number) {
    this.#base = base;
    this.#scenario = scenario;
    this.#seed = seed;
  }

  /**
   * Plays the run without faults, several times.
   *
   * @throws {KubeError} `InvalidArgument` when they differ: nothing could be repeated then.
   */
  async reference(steps: readonly number[]): Promise<RunResult> {
    const begun = await this.#play({ steps, faults: [] }, undefined, true);
    const { impossible, ends, calls, isEndless, slowSteps } = begun;
    this.#slowSteps = slowSteps;
    if (impossible !== undefined) {
      throw new KubeError("InvalidArgument", `a step fails without any fault: ${impossible}`);
    }
    if (ends.length > 0) {
      throw new KubeError("InvalidArgument", `the operator ends without any fault: ${ends[0]}`);
    }
    if (calls.length === 0) {
      throw new KubeError("InvalidArgument", "the operator makes no calls without any fault", {
        hint: "return its controllers, or a promise that lasts as long as it works",
      });
    }
    if (isEndless) {
      this.#expectations.set(steps.join(), expectationOf(begun));
      return begun;
    }
    // A run that still loads code, which takes real time, differs from one that waits for it.
    let first = await this.#play({ steps, faults: [] });
    let difference: string | undefined;
    for (let attempt = 0; attempt < referenceAttempts; attempt++) {
      const patient = await this.#play({ steps, faults: [] }, undefined, true);
      difference = differenceOf(first, patient);
      if (difference === undefined) {
        break;
      }
      first = await this.#play({ steps, faults: [] });
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

  /** Plays a run and judges it; `undefined` when its steps can't be compared with anything. */
  async judge(replay: Replay, isPatient = false): Promise<Judged | undefined> {
    const expected = await this.#expectation(replay.steps);
    if (expected === undefined) {
      return undefined;
    }
    this.runs += 1;
    const result = await this.#play(replay, expected, isPatient);
    if (result.failures.length === 0) {
      return { result, failures: [], difference: [] };
    }
    const difference = worldDifference(expected.world, result.world);
    // A run that was broken off is somewhere on its way.
    const isComparable = this.#scenario.converged === undefined && !result.isEndless;
    const compared = isComparable ? difference : undefined;
    return {
      result,
      failures: result.failures.map((failure) =>
        classify(failure, compared, result.world, result.didRest),
      ),
      difference: difference.lines,
    };
  }

  /**
   * Plays a run, and judges it. If it fails, it is played once more and waits for code that is being loaded: a path that
   * only a fault leads to may load some, for which virtual time must not pass.
   */
  async confirm(replay: Replay): Promise<Judged | undefined> {
    const judged = await this.judge(replay);
    return judged?.failures.length === 0 ? judged : this.judge(replay, true);
  }

  /** Shortens a run that failed, and describes it; `undefined` when it does not fail a second time. */
  async describe(replay: Replay, failure: Failure, seed?: number): Promise<Finding | undefined> {
    const again = await this.judge(replay, true);
    if (again?.failures.some(({ kind }) => kind === failure.kind) !== true) {
      return undefined;
    }
    const shortest = await minimize(replay, async (candidate) => {
      const judged = await this.judge(candidate);
      return judged?.failures.some(({ kind }) => kind === failure.kind) === true;
    });
    return this.finding(shortest, failure, seed);
  }

  /** Plays a run that failed once more, and describes it. */
  async finding(replay: Replay, failure: Failure, seed?: number): Promise<Finding> {
    const { result, failures, difference } = (await this.judge(replay)) as Judged;
    const names = Object.keys(this.#scenario.steps);
    const { kind, message } = failures.find((one) => one.kind === failure.kind) ?? failure;
    return {
      kind,
      message,
      faults: replay.faults,
      steps: replay.steps.map((step) => names[step - 1] as string),
      lines: essentialLines(result.trace),
      allLines: result.trace.map(traceLine),
      difference,
      ...(seed === undefined || replay.faults.length < 2 ? {} : { seed }),
      replay: replayText(replay),
    };
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

  /** @param isPatient - true for a run that waits for code that is being loaded. */
  #play(
    {
      steps,
      faults,
    }: { readonly steps: readonly number[]; readonly faults: readonly ExploredFault[] },
    expected?: Expectation,
    isPatient = false,
  ): Promise<RunResult> {
    return play({
      base: this.#base,
      scenario: this.#scenario,
      steps,
      faults,
      seed: this.#seed,
      expected,
      slowSteps: this.#slowSteps,
      isPatient,
    });
  }
}

function expectationOf(result: RunResult): Expectation {
  const { world, written, callCount, isEndless, restWrites } = result;
  return { world, written, calls: callCount, isEndless, restWrites };
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
