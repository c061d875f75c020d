import type { Clock } from "@typekube/core/internal";
import type { Store } from "../store/store.js";

/** Which versions cannot be read any more because they are too long ago. */
export interface HistoryAge {
  /** The oldest version that can still be read, as far as time goes. */
  floor(): bigint;
}

/** A moment at which everything before a version had been replaced. */
interface Mark {
  readonly time: number;
  readonly revision: bigint;
}

/** Into how many parts the age is divided: versions are forgotten part by part. */
const parts = 10;

/**
 * Tells by the clock which versions are too old, as etcd's compaction does, and without a timer: a clock that is told to let
 * a year pass has nothing to do for it. What a store has from the start counts as of now.
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
      // The store went back to an earlier state: what was known of later ones is about other writes.
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
      // Versions may have gone back: the newest one is never too old.
      return floor < store.revision ? floor : store.revision;
    },
  };
}
