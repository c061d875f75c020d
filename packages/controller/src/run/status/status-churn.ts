import { type Clock, monotonicNow } from "@typekube/core/internal";

/** Writes of one object's status in a minute beyond which something is wrong: a time or a counter in it. */
const maxPerMinute = 10;
const minuteMs = 60_000;
/** Objects that are counted at once. */
const maxCounted = 1_000;

interface Count {
  since: number;
  writes: number;
  isTold: boolean;
}

/** Counts the writes of statuses, to report one that never comes to rest. */
export class StatusChurn {
  readonly #clock: Clock;
  readonly #counts = new Map<string, Count>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a write; returns true once, when there were too many. */
  note(key: string): boolean {
    const now = monotonicNow(this.#clock);
    let count = this.#counts.get(key);
    if (count === undefined || (!count.isTold && now - count.since > minuteMs)) {
      if (this.#counts.size >= maxCounted) {
        const [oldest = ""] = this.#counts.keys();
        this.#counts.delete(oldest);
      }
      count = { since: now, writes: 0, isTold: false };
      this.#counts.set(key, count);
    }
    count.writes++;
    const isNews = count.writes > maxPerMinute && !count.isTold;
    count.isTold ||= isNews;
    return isNews;
  }
}
