import type { VirtualClock } from "../../../time/virtual-clock.js";
import type { Failure, FindingKind } from "../record/run-result.js";
import type { TraceEntry } from "../record/trace.js";

/** Leaves out the time of an entry. */
type Timeless<T> = T extends unknown ? Omit<T, "atMs"> : never;

/** Most failures of one run that are recorded. */
const mostFailures = 20;

/** Facts about a failure, beside its words. Default of `mark`: the message. */
type FailureFacts = Partial<Pick<Failure, "isEnd" | "mark">>;

/** The events of a run, and its failures. */
export class RunLog {
  readonly trace: TraceEntry[] = [];
  readonly failures: Failure[] = [];
  /** Parts of the scenario that could not be tried. */
  readonly unexplored: Set<string> = new Set();
  /** The step that failed, and why; `undefined` while all could be taken. */
  impossible: string | undefined;
  /** Number of that step. */
  failedStep: number | undefined;
  #isEndless = false;
  #isStuck = false;
  #cutShortMs: number | undefined;
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

  /** Records a failure, once for each mark. */
  fail(kind: FindingKind, message: string, more: FailureFacts = {}): void {
    const { mark = message, isEnd } = more;
    const isNew = !this.failures.some((one) => one.kind === kind && one.mark === mark);
    if (isNew && this.failures.length < mostFailures) {
      this.failures.push({ kind, message, mark, isEnd, note: this.trace.length });
      this.add({ type: "note", text: `${kind}: ${message}` });
    }
  }

  /** Records that the run has no end. */
  failEndless(kind: FindingKind, message: string, mark: string = message): void {
    this.fail(kind, message, { mark });
    this.#isEndless = true;
  }

  /** Records that the run was ended before it could show everything, after a time of its clock since the last step. */
  cutShort(afterMs: number): void {
    this.#cutShortMs = afterMs;
  }

  /** Milliseconds after the last step at which the run was ended; `undefined` when it went to its end. */
  get cutShortMs(): number | undefined {
    return this.#cutShortMs;
  }

  /** Records that a step never ends. */
  failStuck(message: string): void {
    this.fail("did not converge", message);
    this.#isStuck = true;
  }

  /** True when a step never ends. */
  get isStuck(): boolean {
    return this.#isStuck;
  }

  /** True when the run has no end. */
  get isEndless(): boolean {
    return this.#isEndless;
  }

  /** True when nothing that goes on matters any more. */
  get isOver(): boolean {
    return this.#isEndless || this.#isStuck || this.impossible !== undefined;
  }
}
