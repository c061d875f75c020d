import type { VirtualClock } from "../../../time/virtual-clock.js";
import type { Failure, FindingKind } from "../record/run-result.js";
import type { TraceEntry } from "../record/trace.js";

/** Leaves out the time of an entry. */
type Timeless<T> = T extends unknown ? Omit<T, "atMs"> : never;

/** The events of a run, and its failures. */
export class RunLog {
  readonly trace: TraceEntry[] = [];
  readonly failures: Failure[] = [];
  /** Parts of the scenario that could not be tried. */
  readonly unexplored: Set<string> = new Set();
  /** The step that failed, and why; `undefined` while all could be taken. */
  impossible: string | undefined;
  #isEndless = false;
  readonly #clock: VirtualClock;
  readonly #startMs: number;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
    this.#startMs = clock.now();
  }

  /** Milliseconds since the start. */
  get atMs(): number {
    return this.#clock.now() - this.#startMs;
  }

  /** Adds an entry with the current time, and returns it. */
  add<T extends Timeless<TraceEntry>>(entry: T): T & { readonly atMs: number } {
    const timed = { atMs: this.atMs, ...entry };
    this.trace.push(timed as unknown as TraceEntry);
    return timed;
  }

  /** Records a failure; the first of each kind is enough. */
  fail(kind: FindingKind, message: string): void {
    if (!this.failures.some((failure) => failure.kind === kind)) {
      this.failures.push({ kind, message });
      this.add({ type: "note", text: `${kind}: ${message}` });
    }
  }

  /** Records that the run has no end. */
  failEndless(kind: FindingKind, message: string): void {
    this.fail(kind, message);
    this.#isEndless = true;
  }

  /** True when the run has no end. */
  get isEndless(): boolean {
    return this.#isEndless;
  }

  /** True when nothing that goes on matters any more. */
  get isOver(): boolean {
    return this.#isEndless || this.impossible !== undefined;
  }
}
