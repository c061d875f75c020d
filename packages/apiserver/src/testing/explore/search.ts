import { KubeError } from "@typekube/core";
import type { ApiServer } from "../../api-server/api-server.js";
import type { VirtualClock } from "../../time/virtual-clock.js";
import { classify } from "./findings/classify.js";
import type { Finding } from "./findings/finding.js";
import { minimize } from "./findings/minimize.js";
import { worldDifference } from "./findings/world-diff.js";
import type { ExploredFault } from "./plan/explored-fault.js";
import { type Replay, replayText } from "./plan/replay.js";
import type { Expectation } from "./run/expectation.js";
import { play } from "./run/play.js";
import type { Failure, RunResult } from "./run/run-result.js";
import { essentialLines, traceLine } from "./run/trace.js";
import type { Externals, Scenario } from "./scenario/scenario.js";

/** A run with what it is compared with. */
interface Judged {
  readonly result: RunResult;
  readonly failures: readonly Failure[];
  readonly difference: readonly string[];
}

/** Plays runs of one scenario, and judges them. */
export class Search<X extends Externals> {
  readonly #base: ApiServer<VirtualClock>;
  readonly #scenario: Scenario<X>;
  readonly #seed: number;
  readonly #expectations: Map<string, Expectation> = new Map();
  /** Runs so far. */
  runs = 0;

  constructor(base: ApiServer<VirtualClock>, scenario: Scenario<X>, seed: number) {
    this.#base = base;
    this.#scenario = scenario;
    this.#seed = seed;
  }

  /**
   * Plays the run without faults, twice.
   *
   * @throws {KubeError} `InvalidArgument` when the two differ: nothing could be repeated then.
   */
  async reference(steps: readonly number[]): Promise<RunResult> {
    // The first run loads code, which takes real time.
    await this.#play({ steps, faults: [] });
    const [first, second] = [
      await this.#play({ steps, faults: [] }),
      await this.#play({ steps, faults: [] }),
    ];
    const [a, b] = [first, second].map(({ trace }) =>
      trace.map((entry) => JSON.stringify(traceLine(entry))),
    ) as [string[], string[]];
    const at = a.findIndex((line, index) => line !== b[index]);
    if (at >= 0 || a.length !== b.length) {
      const { who, what } = traceLine((first.trace[at] ?? first.trace.at(-1)) as never);
      throw new KubeError(
        "InvalidArgument",
        `two runs without faults differ, first at "${who}: ${what}"`,
        {
          hint: "use the clock, the random numbers and the client of the context, and no other I/O",
        },
      );
    }
    this.#expectations.set(steps.join(), expectationOf(first));
    return first;
  }

  /** Plays a run and judges it. */
  async judge(replay: Replay): Promise<Judged> {
    const expected = await this.#expectation(replay.steps);
    const result = await this.#play(replay, expected);
    if (result.failures.length === 0) {
      return { result, failures: [], difference: [] };
    }
    const difference = worldDifference(expected.world, result.world);
    const compared = this.#scenario.converged === undefined ? difference : undefined;
    return {
      result,
      failures: result.failures.map((failure) =>
        classify(failure, compared, result.world, result.didRest),
      ),
      difference: difference.lines,
    };
  }

  /** Shortens a run that failed, and describes it. */
  async describe(replay: Replay, failure: Failure, seed?: number): Promise<Finding> {
    const shortest = await minimize(replay, async (candidate) => {
      const { failures } = await this.judge(candidate);
      return failures.some(({ kind }) => kind === failure.kind);
    });
    return this.finding(shortest, failure, seed);
  }

  /** Plays a run that failed once more, and describes it. */
  async finding(replay: Replay, failure: Failure, seed?: number): Promise<Finding> {
    const { result, failures, difference } = await this.judge(replay);
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

  async #expectation(steps: readonly number[]): Promise<Expectation> {
    const key = steps.join();
    let known = this.#expectations.get(key);
    if (known === undefined) {
      known = expectationOf(await this.#play({ steps, faults: [] }));
      this.#expectations.set(key, known);
    }
    return known;
  }

  #play(
    {
      steps,
      faults,
    }: { readonly steps: readonly number[]; readonly faults: readonly ExploredFault[] },
    expected?: Expectation,
  ): Promise<RunResult> {
    this.runs += 1;
    return play({
      base: this.#base,
      scenario: this.#scenario,
      steps,
      faults,
      seed: this.#seed,
      expected,
    });
  }
}

function expectationOf({ world, calls, restWrites }: RunResult): Expectation {
  return { world, calls: calls.length, restWrites };
}
