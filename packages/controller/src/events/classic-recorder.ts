import { isAlreadyExists, isNotFound } from "@typekube/core";
import { BoundedMap } from "../cache/bounded-map.js";
import { EventBudget } from "./event-budget.js";
import type { EventStore } from "./event-store.js";
import { type Occurrence, referenceKey } from "./occurrence.js";
import { type OccurrenceRecorder, type RecorderParts, whatOf } from "./series-recorder.js";

// client-go `tools/record/events_cache.go`.

/** Keys that are remembered. (maxLruCacheEntries) */
const maxKeys = 4_096;
/** Different notes of one reason about one object after which they are combined. (defaultAggregateMaxEvents) */
const maxNotes = 10;
/** Milliseconds without such an event after which notes are no longer combined. (defaultAggregateIntervalInSeconds) */
const combineMs = 600_000;
/** Events of one type about one object: at once, and milliseconds until one more. (defaultSpamBurst, defaultSpamQPS) */
const spamBurst = 25;
const spamRefillMs = 300_000;

/** An event that was recorded, and how often. */
interface Recorded {
  readonly name: string;
  readonly firstAt: number;
  count: number;
}

/** Events of the core group: counted per note, combined when the notes differ, and few per object. */
export class ClassicRecorder implements OccurrenceRecorder {
  readonly #parts: RecorderParts;
  readonly #store: EventStore;
  readonly #spam: EventBudget;
  readonly #similar = new BoundedMap<{ notes: Set<string>; at: number }>(maxKeys);
  readonly #recorded = new BoundedMap<Recorded>(maxKeys);

  constructor(parts: RecorderParts, store: EventStore) {
    this.#parts = parts;
    this.#store = store;
    this.#spam = new EventBudget(parts.clock, spamBurst, spamRefillMs);
  }

  record(occurrence: Occurrence): void {
    const { regarding, type, reason } = occurrence;
    const place = `${referenceKey(regarding)} ${type}`;
    const group = `${place} ${reason}`;
    const isCombined = this.#isCombined(group, occurrence);
    const note = isCombined
      ? `(combined from similar events): ${occurrence.note}`
      : occurrence.note;
    const key = isCombined ? group : `${group}\n${note}`;
    const known = this.#recorded.get(key);
    const recorded = known ?? {
      name: this.#parts.names(regarding.name),
      firstAt: occurrence.at,
      count: 0,
    };
    recorded.count++;
    this.#recorded.set(key, recorded);
    if (!this.#spam.take(place)) {
      this.#parts.onBudget(whatOf(occurrence));
      return;
    }
    const { count } = recorded;
    this.#parts.queue.add({
      what: whatOf(occurrence),
      send: (signal) => this.#write({ ...occurrence, note }, recorded, count, signal),
    });
  }

  close(): void {}

  /** Counts the different notes of a group; true from the tenth on. */
  #isCombined(group: string, { note, at }: Occurrence): boolean {
    const known = this.#similar.get(group);
    const record =
      known === undefined || at - known.at > combineMs ? { notes: new Set<string>(), at } : known;
    record.notes.add(note);
    record.at = at;
    this.#similar.set(group, record);
    if (record.notes.size < maxNotes) {
      return false;
    }
    const [oldest] = record.notes;
    record.notes.delete(oldest as string);
    return true;
  }

  async #write(
    occurrence: Occurrence,
    { name, firstAt }: Recorded,
    count: number,
    signal: AbortSignal,
  ): Promise<void> {
    const namespace = occurrence.regarding.namespace ?? "default";
    const counted = { count, lastTimestamp: secondsOf(occurrence.at), message: occurrence.note };
    if (count > 1) {
      try {
        await this.#store.patch(name, namespace, counted, signal);
        return;
      } catch (error) {
        // Its time to live was over, or it was dropped before it was written.
        if (!isNotFound(error)) {
          throw error;
        }
      }
    }
    const { controller, host } = this.#parts.reporter;
    const { regarding, related, type, reason } = occurrence;
    const event = {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name, namespace },
      involvedObject: regarding,
      ...(related === undefined ? {} : { related }),
      type,
      reason,
      ...counted,
      firstTimestamp: secondsOf(firstAt),
      source: { component: controller, host },
      reportingComponent: controller,
      reportingInstance: "",
    };
    try {
      await this.#store.create(event, signal);
    } catch (error) {
      if (!isAlreadyExists(error)) {
        throw error;
      }
    }
  }
}

/** A time in whole seconds, as `Time` fields have it. */
function secondsOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
