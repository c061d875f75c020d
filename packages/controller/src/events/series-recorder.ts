import { isAlreadyExists, isForbidden, isNotFound } from "@typekube/core";
import type { Clock } from "@typekube/core/internal";
import { EventBudget } from "./event-budget.js";
import type { EventNames } from "./event-names.js";
import type { EventQueue } from "./event-queue.js";
import { beginSeries, type EventSeries, eventOf, seriesField, seriesKey } from "./event-series.js";
import type { EventStore } from "./event-store.js";
import { type Occurrence, referenceKey } from "./occurrence.js";

/** Parts of both recorders. */
export interface RecorderParts {
  readonly clock: Clock;
  readonly queue: EventQueue;
  readonly names: EventNames;
  readonly reporter: { readonly controller: string; readonly host: string };
  /** Called for an event that is dropped before it is queued. */
  readonly onBudget: (what: string) => void;
}

/** Records occurrences as events. */
export interface OccurrenceRecorder {
  record(occurrence: Occurrence): void;
  /** Queues what was counted and not written yet, and ends the timers. */
  close(): void;
}

/** Milliseconds without a repeat after which an event is over. (client-go `event_broadcaster.go` finishTime) */
const finishMs = 6 * 60_000;
/** New events of one reason about one object: at once, and milliseconds until one more. */
const budgetBurst = 25;
const budgetRefillMs = 60_000;
/** Maximum of characters of a reporting instance. (kubernetes `pkg/apis/core/validation/events.go`) */
const maxInstanceLength = 128;

/** Events of events.k8s.io: a repeated event is one object, whose series counts the occurrences. */
export class SeriesRecorder implements OccurrenceRecorder {
  readonly #parts: RecorderParts;
  readonly #stores: { readonly events: EventStore; readonly core: EventStore };
  readonly #countEveryMs: number;
  readonly #budget: EventBudget;
  readonly #reporter: { readonly controller: string; readonly instance: string };
  readonly #series = new Map<string, EventSeries>();
  /** `false` once the server forbids writes to events of the core group: notes stay as they are then. */
  #canChangeNotes = true;
  /** Milliseconds since the epoch at which the timer fires. */
  #wakesAt = Number.POSITIVE_INFINITY;
  #cancel: () => void = () => {};

  constructor(
    parts: RecorderParts,
    stores: { readonly events: EventStore; readonly core: EventStore },
    countEveryMs: number,
  ) {
    const { controller, host } = parts.reporter;
    this.#parts = parts;
    this.#stores = stores;
    this.#countEveryMs = countEveryMs;
    this.#budget = new EventBudget(parts.clock, budgetBurst, budgetRefillMs);
    this.#reporter = { controller, instance: `${controller}-${host}`.slice(0, maxInstanceLength) };
  }

  record(occurrence: Occurrence): void {
    const key = seriesKey(occurrence);
    const known = this.#series.get(key);
    if (known !== undefined && occurrence.at - known.lastAt < finishMs) {
      known.count++;
      known.note = occurrence.note;
      known.lastAt = occurrence.at;
      this.#count(known);
      return;
    }
    const { regarding, reason } = occurrence;
    if (!this.#budget.take(`${referenceKey(regarding)} ${reason}`)) {
      this.#parts.onBudget(whatOf(occurrence));
      return;
    }
    const series = beginSeries(key, this.#parts.names(regarding.name), occurrence);
    this.#series.set(key, series);
    this.#enqueue(series);
    this.#arm(series.lastAt + finishMs);
  }

  close(): void {
    this.#cancelTimer();
    for (const series of this.#series.values()) {
      if (series.count > series.written.count) {
        this.#enqueue(series);
      }
    }
    this.#series.clear();
  }

  /** Has a new count written: the second occurrence at once, later ones when their time has come. */
  #count(series: EventSeries): void {
    const { count, written } = series;
    if (written.count === 0 || count === written.count) {
      return;
    }
    if (written.count === 1) {
      this.#enqueue(series);
    } else {
      this.#arm(written.at + this.#countEveryMs);
    }
  }

  #enqueue(series: EventSeries): void {
    if (series.isQueued) {
      return;
    }
    let sent = { count: 0, note: "" };
    series.isQueued = this.#parts.queue.add({
      what: whatOf(series.first),
      send: (signal) => {
        sent = { count: series.count, note: series.note };
        return series.written.count === 0
          ? this.#create(series, signal)
          : this.#update(series, signal);
      },
      done: (error) => {
        series.isQueued = false;
        if (error !== undefined && series.written.count === 0) {
          this.#forget(series);
          return;
        }
        // After a failed write, too: a further one follows only when there is something new to write.
        series.written = { ...sent, at: this.#parts.clock.now() };
        this.#count(series);
      },
    });
    if (!series.isQueued && series.written.count === 0) {
      this.#forget(series);
    }
  }

  /** Begins the event again with its next occurrence. */
  #forget(series: EventSeries): void {
    if (this.#series.get(series.key) === series) {
      this.#series.delete(series.key);
    }
  }

  async #create(series: EventSeries, signal: AbortSignal): Promise<void> {
    try {
      await this.#stores.events.create(eventOf(series, this.#reporter), signal);
    } catch (error) {
      // An earlier attempt succeeded, and its response was lost.
      if (!isAlreadyExists(error)) {
        throw error;
      }
    }
  }

  async #update(series: EventSeries, signal: AbortSignal): Promise<void> {
    const { name, namespace, note, written } = series;
    const { events, core } = this.#stores;
    const patch = seriesField(series);
    try {
      if (note !== written.note && this.#canChangeNotes) {
        try {
          // events.k8s.io declares the note immutable; the core group, which has the same objects, does not.
          await core.patch(name, namespace, { ...patch, message: note }, signal);
          return;
        } catch (error) {
          if (!isForbidden(error)) {
            throw error;
          }
          this.#canChangeNotes = false;
        }
      }
      await events.patch(name, namespace, patch, signal);
    } catch (error) {
      if (!isNotFound(error)) {
        throw error;
      }
      // The event's time to live was over.
      await this.#create(series, signal);
    }
  }

  /** Wakes up at a time, unless it wakes up earlier anyway. */
  #arm(at: number): void {
    if (at >= this.#wakesAt) {
      return;
    }
    this.#cancelTimer();
    const { clock } = this.#parts;
    this.#wakesAt = at;
    this.#cancel = clock.schedule(Math.max(0, at - clock.now()), () => this.#sweep(), true);
  }

  #cancelTimer(): void {
    this.#cancel();
    this.#wakesAt = Number.POSITIVE_INFINITY;
  }

  /** Writes counts whose time has come, and forgets events that are over. */
  #sweep(): void {
    this.#cancelTimer();
    const now = this.#parts.clock.now();
    for (const series of this.#series.values()) {
      const { count, written, lastAt, isQueued } = series;
      const overAt = lastAt + finishMs;
      const isUnwritten = written.count > 0 && count > written.count && !isQueued;
      const dueAt = isUnwritten ? Math.min(overAt, written.at + this.#countEveryMs) : overAt;
      if (isUnwritten && dueAt <= now) {
        this.#enqueue(series);
      }
      if (overAt <= now) {
        this.#series.delete(series.key);
      } else if (dueAt > now) {
        this.#arm(dueAt);
      } else {
        this.#arm(overAt);
      }
    }
  }
}

/** `namespace/name: Reason`, for messages. */
export function whatOf({ regarding, reason }: Occurrence): string {
  const { namespace = "", kind, name } = regarding;
  return `${namespace}/${name}: event ${reason} of a ${kind}`;
}
