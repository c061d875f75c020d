import type { PodLogLine } from "../pod-handlers.js";

/** Which lines of a log are read. */
export interface LogReading {
  readonly follow: boolean;
  readonly tailLines: number | undefined;
  /** Any of them ends a log that is followed. */
  readonly until: readonly AbortSignal[];
}

/** The log of one container in memory. */
export class ContainerLog {
  readonly #now: () => number;
  readonly #maxLines: number;
  readonly #wakers = new Set<() => void>();
  #lines: PodLogLine[] = [];
  #dropped = 0;
  #lastMs = 0;
  #ofThisMs = 0;

  /** @param now - milliseconds since the epoch, for the times of lines. */
  constructor(now: () => number, maxLines: number) {
    this.#now = now;
    this.#maxLines = maxLines;
  }

  /** Adds a line. With `isPartial` the next one continues it. */
  append(text: string, isPartial = false): void {
    this.#lines.push({ text, time: this.#time(), isPartial });
    if (this.#lines.length > this.#maxLines) {
      this.#lines.shift();
      this.#dropped += 1;
    }
    for (const wake of [...this.#wakers]) {
      wake();
    }
  }

  /** Yields the lines, and new ones with `follow`. The server applies `tailLines` only to a log that is not followed. */
  async *read({
    follow,
    tailLines,
    until,
  }: LogReading): AsyncGenerator<PodLogLine, void, undefined> {
    const last = follow ? tailLines : undefined;
    let at = last === undefined ? 0 : Math.max(0, this.#end - last);
    for (;;) {
      for (; at < this.#end; at += 1) {
        at = Math.max(at, this.#dropped);
        const line = this.#lines[at - this.#dropped];
        if (line !== undefined) {
          yield line;
        }
      }
      if (!follow || until.some(({ aborted }) => aborted)) {
        return;
      }
      await this.#changed(until);
    }
  }

  get #end(): number {
    return this.#dropped + this.#lines.length;
  }

  #changed(until: readonly AbortSignal[]): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#wakers.delete(wake);
        for (const signal of until) {
          signal.removeEventListener("abort", wake);
        }
        resolve();
      };
      this.#wakers.add(wake);
      for (const signal of until) {
        signal.addEventListener("abort", wake);
      }
    });
  }

  /** Returns the time of the next line: no two lines have the same one, so that readers can resume after a line. */
  #time(): string {
    const ms = Math.max(this.#now(), this.#lastMs);
    this.#ofThisMs = ms === this.#lastMs ? this.#ofThisMs + 1 : 0;
    this.#lastMs = ms;
    const nanoseconds = String(this.#ofThisMs).padStart(6, "0");
    return new Date(ms).toISOString().replace("Z", `${nanoseconds}Z`);
  }
}
