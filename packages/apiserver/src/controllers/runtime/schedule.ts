import type { Clock } from "@typekube/core/internal";
import type { Controller } from "./controller.js";

/** A controller and a key to reconcile. */
export type Entry = readonly [controller: Controller, key: string];

/** Entries scheduled by the clock, each at most once, with one shared timer per due time. */
export interface Schedule {
  /** Schedules an entry; if it is already scheduled, the earlier time counts. */
  add(entry: Entry, afterMs: number, isBackground?: boolean): void;
  clear(): void;
}

interface Moment {
  readonly entries: Map<string, Entry>;
  readonly end: () => void;
}

/** Returns the identity of an entry. */
export function idOf([{ name }, key]: Entry): string {
  return `${name} ${key}`;
}

/**
 * Creates an empty schedule.
 *
 * @param begin - called with each entry when it is due.
 * @param announce - called with each due time; the function that it returns is called when that time has fired or is
 * cancelled.
 */
export function createSchedule(
  clock: Clock,
  begin: (entry: Entry) => void,
  announce: (due: number) => () => void = () => () => {},
): Schedule {
  const dueOf = new Map<string, number>();
  const moments = new Map<number, Moment>();

  const remove = (id: string, due: number) => {
    const moment = moments.get(due);
    moment?.entries.delete(id);
    if (moment?.entries.size === 0) {
      moments.delete(due);
      moment.end();
    }
  };

  const fire = (due: number) => {
    const moment = moments.get(due);
    moments.delete(due);
    moment?.end();
    for (const [id, entry] of moment?.entries ?? []) {
      dueOf.delete(id);
      begin(entry);
    }
  };

  return {
    add(entry, afterMs, isBackground = false) {
      const id = idOf(entry);
      const due = clock.now() + afterMs;
      const other = dueOf.get(id);
      if (other !== undefined) {
        if (other <= due) {
          return;
        }
        remove(id, other);
      }
      dueOf.set(id, due);
      let moment = moments.get(due);
      if (moment === undefined) {
        const cancel = clock.schedule(afterMs, () => fire(due), isBackground);
        const over = announce(due);
        const end = () => {
          cancel();
          over();
        };
        moment = { entries: new Map(), end };
        moments.set(due, moment);
      }
      moment.entries.set(id, entry);
    },
    clear() {
      for (const { end } of moments.values()) {
        end();
      }
      moments.clear();
      dueOf.clear();
    },
  };
}
