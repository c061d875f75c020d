import type { Replay } from "../plan/replay.js";
import { plural } from "./plural.js";

/** Runs of one sort, of which the first is shown. */
interface Sort {
  readonly text: (count: number) => string;
  readonly first: Replay;
  count: number;
}

/** Counts the runs of a search that say nothing about the operator. */
export class UnjudgedRuns {
  readonly #sorts: Map<string, Sort> = new Map();
  readonly #replayText: (replay: Replay) => string;

  /** @param replayText - returns a run as text that repeats it. */
  constructor(replayText: (replay: Replay) => string) {
    this.#replayText = replayText;
  }

  /** Counts a run in which a step failed that does not fail without faults. */
  addImpossible(problem: string, replay: Replay): void {
    this.#add(
      // The same error of another object, or at another time.
      `step ${problem.replace(/\d+/g, "#")}`,
      replay,
      (count) =>
        `${plural(count, "run")} that can't be judged, since a step failed only in ${count === 1 ? "it" : "them"}: ${problem}; to see ${count === 1 ? "it" : "one"}`,
    );
  }

  /** Counts a run that failed at first, and passed when it was repeated. */
  addChance(replay: Replay): void {
    this.#add(
      "chance",
      replay,
      (count) =>
        `${plural(count, "run")} that failed, and passed when ${count === 1 ? "it was" : "they were"} repeated: the operator differs from run to run, or was still loading code; the ${count === 1 ? "run" : "first"}`,
    );
  }

  /** The sorts of runs in words, each with a replay. */
  get texts(): string[] {
    return [...this.#sorts.values()].map(
      ({ text, count, first }) =>
        `${text(count)}: explore(scenario, { replay: '${this.#replayText(first)}' })`,
    );
  }

  #add(key: string, replay: Replay, text: Sort["text"]): void {
    const sort = this.#sorts.get(key) ?? { text, first: replay, count: 0 };
    sort.count += 1;
    this.#sorts.set(key, sort);
  }
}
