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

/** Entries that are due at the same time, and their timer. */
interface Moment {
  readonly entries: Map<string, Entry>;
  readonly end: () => void;
}

/** State of one schedule. */
interface Timetable {
  readonly clock: Clock;
  readonly begin: (entry: Entry) => void;
  readonly announce: (due: number) => () => void;
  readonly dueOf: Map<string, number>;
  readonly moments: Map<number, Moment>;
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
  const timetable: Timetable = { clock, begin, announce, dueOf: new Map(), moments: new Map() };
  return {
    add: (entry, afterMs, isBackground = false) => add(timetable, entry, afterMs, isBackground),
    clear: () => clear(timetable),
  };
}

function add(timetable: Timetable, entry: Entry, afterMs: number, isBackground: boolean): void {
  const { clock, dueOf, moments } = timetable;
  const id = idOf(entry);
  const due = clock.now() + afterMs;
  const other = dueOf.get(id);
  if (other !== undefined && other <= due) {
    return;
  }
  if (other !== undefined) {
    remove(timetable, id, other);
  }
  dueOf.set(id, due);
  const moment = moments.get(due) ?? startMoment(timetable, due, afterMs, isBackground);
  moment.entries.set(id, entry);
}

/** Starts the timer of a due time that has none yet. */
function startMoment(
  timetable: Timetable,
  due: number,
  afterMs: number,
  isBackground: boolean,
): Moment {
  const cancel = timetable.clock.schedule(afterMs, () => fire(timetable, due), isBackground);
  const over = timetable.announce(due);
  const end = () => {
    cancel();
    over();
  };
  const moment: Moment = { entries: new Map(), end };
  timetable.moments.set(due, moment);
  return moment;
}

function remove({ moments }: Timetable, id: string, due: number): void {
  const moment = moments.get(due);
  moment?.entries.delete(id);
  if (moment?.entries.size === 0) {
    moments.delete(due);
    moment.end();
  }
}

function fire({ moments, dueOf, begin }: Timetable, due: number): void {
  const moment = moments.get(due);
  moments.delete(due);
  moment?.end();
  for (const [id, entry] of moment?.entries ?? []) {
    dueOf.delete(id);
    begin(entry);
  }
}

function clear({ moments, dueOf }: Timetable): void {
  for (const { end } of moments.values()) {
    end();
  }
  moments.clear();
  dueOf.clear();
}
