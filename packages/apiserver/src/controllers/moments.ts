import type { Clock } from "@typekube/core/internal";
import type { Controller } from "./controller.js";

/** A controller and the key that it has to look at. */
export type Entry = readonly [controller: Controller, key: string];

/** Entries that wait for the clock, each once, with one timer for all that are due together. */
export interface Moments {
  /** Adds an entry; one that waits already keeps the earlier time. */
  add(entry: Entry, afterMs: number, isBackground?: boolean): void;
  clear(): void;
}

interface Moment {
  readonly entries: Map<string, Entry>;
  readonly end: () => void;
}

/** The identity of an entry. */
export function idOf([{ name }, key]: Entry): string {
  return `${name} ${key}`;
}

/**
 * Creates an empty set of moments.
 *
 * @param begin - receives each entry once its time has come.
 * @param announce - is called with the time of each moment; what it returns is called when the moment is over.
 */
export function createMoments(
  clock: Clock,
  begin: (entry: Entry) => void,
  announce: (due: number) => () => void = () => () => {},
): Moments {
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
