/** A request of a run, at the moment at which its bytes are sent. */
export interface SentRequest {
  readonly at: number;
  readonly who: string;
  readonly key: string;
  /** Number of the sender's period of holding the shard. */
  readonly period: number;
  /** Milliseconds since the last successful write of the Lease was sent, by the sender's own clocks. */
  readonly ageMs: number;
}

/** A run of a key. */
export interface RecordedRun {
  readonly at: number;
  readonly who: string;
  readonly key: string;
  readonly period: number;
  /** Returns whether requests of the run may still start. */
  readonly isValid: () => boolean;
}

/** Runs and requests of one history, and the rules that they broke. */
export class ShardRecords {
  readonly overlaps: string[] = [];
  /** Time at which each key last began to run, or was written. */
  readonly lastRun = new Map<string, number>();
  runs = 0;
  requests = 0;
  readonly #renewDeadlineMs: number;
  readonly #running = new Map<string, Set<RecordedRun>>();
  readonly #newest = new Map<string, SentRequest>();
  #periods = 0;

  constructor(renewDeadlineMs: number) {
    this.#renewDeadlineMs = renewDeadlineMs;
  }

  /** Periods of holding a shard. */
  get periods(): number {
    return this.#periods;
  }

  nextPeriod(): number {
    this.#periods += 1;
    return this.#periods;
  }

  /** Records the beginning of a run; one of another replica must not go on. */
  began(run: RecordedRun): RecordedRun {
    const { key, who, at } = run;
    const running = this.#running.get(key) ?? new Set();
    this.#running.set(key, running);
    for (const other of running) {
      if (other.who !== who && other.isValid()) {
        this.overlaps.push(
          `at ${Math.round(at)} ms ${who} ran ${key} beside ${other.who}, which began at ${Math.round(other.at)} ms`,
        );
      }
    }
    running.add(run);
    this.runs += 1;
    this.lastRun.set(key, at);
    return run;
  }

  ended(run: RecordedRun): void {
    this.#running.get(run.key)?.delete(run);
  }

  /** Records a request: it must not be late, nor follow one of a later holder. */
  sent(request: SentRequest): void {
    const { at, who, key, period, ageMs } = request;
    this.requests += 1;
    this.lastRun.set(key, at);
    const moment = `at ${Math.round(at)} ms ${who} (period ${period})`;
    if (ageMs >= this.#renewDeadlineMs) {
      this.overlaps.push(`${moment} wrote ${key} ${Math.round(ageMs)} ms after its last renewal`);
    }
    const newest = this.#newest.get(key);
    if (newest !== undefined && period < newest.period && who !== newest.who) {
      this.overlaps.push(`${moment} wrote ${key} after ${newest.who} (period ${newest.period})`);
    } else {
      this.#newest.set(key, request);
    }
  }
}
