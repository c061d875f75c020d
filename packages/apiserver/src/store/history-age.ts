import type { Clock } from "@typekube/core/internal";
import type { Store } from "./store.js";

/** Tracks which resourceVersions are too old to be read. */
export interface HistoryAge {
  /** Returns the oldest resourceVersion that can still be read, as far as age is concerned. */
  floor(): bigint;
}

/** The latest resourceVersion at a point in time. */
interface Mark {
  readonly time: number;
  readonly revision: bigint;
}

/** Number of intervals into which the age is divided; resourceVersions expire interval by interval. */
const parts = 10;

/**
 * Determines by the clock which resourceVersions are too old, like etcd's compaction but without a timer, so that
 * advancing a virtual clock by a year causes no work. The initial content of a store counts as written now.
 */
export function trackHistoryAge(store: Store, clock: Clock, ageMs: number): HistoryAge {
  let floor = 0n;
  if (ageMs === Number.POSITIVE_INFINITY) {
    return { floor: () => floor };
  }
  const marks: Mark[] = [];
  let newest: Mark = { time: clock.now(), revision: store.revision };
  let begun = newest.time;
  store.follow(({ revision }) => {
    const time = clock.now();
    if (revision <= newest.revision) {
      // The store was restored to an earlier state: marks of later revisions refer to other writes.
      marks.length = 0;
      floor = floor < revision ? floor : revision - 1n;
      newest = { time, revision: revision - 1n };
    }
    if (time - begun >= ageMs / parts) {
      marks.push(newest);
      begun = time;
    }
    newest = { time, revision };
  });
  return {
    floor() {
      const oldest = clock.now() - ageMs;
      while (marks[0] !== undefined && marks[0].time <= oldest) {
        floor = marks.shift()?.revision ?? floor;
      }
      if (newest.time <= oldest) {
        floor = newest.revision;
      }
      // Revisions may have gone back: the current one is never too old.
      return floor < store.revision ? floor : store.revision;
    },
  };
}
