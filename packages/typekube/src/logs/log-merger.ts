import { type Clock, monotonicNow } from "@typekube/core/internal";
import { compareTimes, type LogTime, readLogTime } from "./log-time.js";
import { orderWindowMs } from "./merged-log-options.js";

/** Maximum number of items in one batch that is merged by time. */
const maxBatch = 1_000;

/** Settings of a merger. */
export interface MergerSettings<T> {
  readonly order: "arrival" | "time";
  /** `true` when logs may go on without an end, so that merging by time must not wait for each of them. */
  readonly isEndless: boolean;
  readonly clock: Clock;
  /** Returns the time of an item; empty for an item without one. */
  readonly timeOf: (item: T) => string;
}

/** A log among others. It has at most one batch waiting, so that a slow reader slows it down. */
interface Source<T> {
  items: readonly T[];
  at: number;
  /** Time of the next item, never before that of an earlier one. */
  time: LogTime;
  arrivedAt: number;
  isOpen: boolean;
  onTaken: () => void;
}

/** Merges logs. Each keeps its order. */
export class LogMerger<T> {
  readonly #settings: MergerSettings<T>;
  readonly #sources = new Set<Source<T>>();
  /** Sources with items, in the order of arrival. */
  #ready: Source<T>[] = [];
  readonly #pumps = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;
  #isSealed = false;
  #isClosed = false;
  #wake = () => {};

  constructor(settings: MergerSettings<T>) {
    this.#settings = settings;
  }

  /** Adds a log. `onEnd` is called when it has ended; it may add the next one. */
  add(batches: AsyncIterable<readonly T[]>, onEnd: () => void): void {
    const source: Source<T> = {
      items: [],
      at: 0,
      time: { ms: Number.NEGATIVE_INFINITY, nanos: 0 },
      arrivedAt: 0,
      isOpen: true,
      onTaken: () => {},
    };
    this.#sources.add(source);
    const pump = this.#pump(source, batches).finally(() => {
      this.#pumps.delete(pump);
      onEnd();
      source.isOpen = false;
      if (source.at >= source.items.length) {
        this.#sources.delete(source);
      }
      this.#wake();
    });
    this.#pumps.add(pump);
  }

  /** Ends the merged log once the logs that were added have ended. */
  seal(): void {
    this.#isSealed = true;
    this.#wake();
  }

  /** Ends the merged log with an error. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  /** Releases logs that wait for the reader. Resolves when all have ended; their signals must have been aborted. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { onTaken } of this.#sources) {
      onTaken();
    }
    await Promise.allSettled(this.#pumps);
  }

  async *batches(): AsyncGenerator<readonly T[], void, undefined> {
    for (;;) {
      if (this.#failure !== undefined) {
        throw this.#failure.error;
      }
      const batch = this.#settings.order === "time" ? this.#takeInTime() : this.#takeArrived();
      if (batch.length > 0) {
        yield batch;
      } else if (this.#isSealed && this.#sources.size === 0) {
        return;
      } else {
        await this.#news();
      }
    }
  }

  async #pump(source: Source<T>, batches: AsyncIterable<readonly T[]>): Promise<void> {
    try {
      for await (const items of batches) {
        if (items.length > 0 && !this.#isClosed) {
          await this.#offer(source, items);
        }
      }
    } catch (error) {
      this.fail(error);
    }
  }

  #offer(source: Source<T>, items: readonly T[]): Promise<void> {
    source.items = items;
    source.at = 0;
    source.arrivedAt = monotonicNow(this.#settings.clock);
    this.#readTime(source);
    this.#ready.push(source);
    this.#wake();
    return new Promise((resolve) => {
      source.onTaken = resolve;
    });
  }

  #takeArrived(): readonly T[] {
    const source = this.#ready.shift();
    if (source === undefined) {
      return [];
    }
    const { items } = source;
    this.#release(source);
    return items;
  }

  #takeInTime(): readonly T[] {
    const batch: T[] = [];
    while (batch.length < maxBatch && this.#isDue()) {
      const [first, ...others] = this.#ready;
      if (first === undefined) {
        break;
      }
      const source = others.reduce(
        (least, one) => (compareTimes(one.time, least.time) < 0 ? one : least),
        first,
      );
      batch.push(source.items[source.at] as T);
      source.at += 1;
      if (source.at < source.items.length) {
        this.#readTime(source);
      } else {
        this.#ready = this.#ready.filter((one) => one !== source);
        this.#release(source);
        // Its next line may be the next one of all.
        break;
      }
    }
    return batch;
  }

  /** Returns whether the earliest line that is here may be passed on. */
  #isDue(): boolean {
    if (this.#ready.length === 0) {
      return false;
    }
    const isComplete = [...this.#sources].every(({ at, items }) => at < items.length);
    return isComplete || this.#dueInMs() <= 0;
  }

  #dueInMs(): number {
    const { isEndless, clock } = this.#settings;
    return isEndless && this.#ready.length > 0
      ? Math.min(...this.#ready.map(({ arrivedAt }) => arrivedAt)) +
          orderWindowMs -
          monotonicNow(clock)
      : Number.POSITIVE_INFINITY;
  }

  #release(source: Source<T>): void {
    source.items = [];
    source.at = 0;
    if (!source.isOpen) {
      this.#sources.delete(source);
    }
    source.onTaken();
  }

  #readTime(source: Source<T>): void {
    const time = readLogTime(this.#settings.timeOf(source.items[source.at] as T));
    if (time !== undefined && compareTimes(time, source.time) > 0) {
      source.time = time;
    }
  }

  async #news(): Promise<void> {
    const dueInMs = this.#settings.order === "time" ? this.#dueInMs() : Number.POSITIVE_INFINITY;
    let cancel = () => {};
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (dueInMs !== Number.POSITIVE_INFINITY) {
        cancel = this.#settings.clock.schedule(dueInMs, resolve);
      }
    });
    cancel();
    this.#wake = () => {};
  }
}
