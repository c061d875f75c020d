import type { Clock } from "@typekube/core/internal";
import type { QueueEntry } from "../../src/index.js";

/** Everything that the reference knows of a key. */
interface ReferenceKey {
  /** A pending run: its priority and its place among those of that priority. */
  ready?: { priority: number; order: number } | undefined;
  /** A pending delay. */
  wait?: { priority: number; order: number; atMs: number } | undefined;
  run?: { priority: number } | undefined;
  failures: number;
}

/**
 * The rules of both queues without their speed: every step searches all keys. Delays are 5 ms, doubled per failure.
 *
 * @param isClassic - `true` for the rules of client-go.
 */
export function referenceQueue(isClassic: boolean, clock: Clock) {
  const keys = new Map<string, ReferenceKey>();
  let order = 0;

  const keyOf = (key: string): ReferenceKey => {
    const known = keys.get(key) ?? { failures: 0 };
    keys.set(key, known);
    return known;
  };

  /** Applies an add to what is pending: the highest priority wins, and a rise means the end of the line. */
  const raise = (pending: { priority: number; order: number }, priority: number) => {
    if (priority > pending.priority) {
      pending.priority = priority;
      pending.order = order++;
    }
  };

  /** Makes the keys ready whose delay is over, in the order of their moments. */
  const settle = () => {
    const due = [...keys.values()].filter(({ wait }) => wait && wait.atMs <= clock.now());
    due.sort((a, b) => {
      const [left, right] = [a.wait, b.wait];
      return left && right ? left.atMs - right.atMs || left.order - right.order : 0;
    });
    for (const key of due) {
      key.ready ??= { priority: key.wait?.priority ?? 0, order: order++ };
      key.wait = undefined;
    }
  };

  const add = (name: string, givenPriority: number, afterMs: number) => {
    const priority = isClassic ? 0 : givenPriority;
    const key = keyOf(name);
    const atMs = clock.now() + afterMs;
    if (key.ready && (!isClassic || afterMs <= 0)) {
      raise(key.ready, priority);
    } else if (afterMs > 0) {
      key.wait ??= { priority, order: order++, atMs };
      raise(key.wait, priority);
      key.wait.atMs = Math.min(key.wait.atMs, atMs);
    } else if (key.wait && !isClassic) {
      key.ready = { priority: Math.max(key.wait.priority, priority), order: order++ };
      key.wait = undefined;
    } else {
      key.ready = { priority, order: order++ };
    }
  };

  const takeNow = () => {
    let best: [string, ReferenceKey] | undefined;
    for (const [name, key] of keys) {
      if (key.ready && !key.run && (best === undefined || isBefore(key.ready, best[1].ready))) {
        best = [name, key];
      }
    }
    if (best?.[1].ready === undefined) {
      return undefined;
    }
    const [name, key] = best;
    key.run = { priority: best[1].ready.priority };
    key.ready = undefined;
    return { key: name, priority: key.run.priority };
  };

  return {
    settle,
    add,
    takeNow,
    retry(name: string, notBeforeMs: number) {
      const key = keyOf(name);
      const delayMs = Math.max(5 * 2 ** key.failures++, notBeforeMs);
      add(name, key.run?.priority ?? 0, delayMs);
      return delayMs;
    },
    forget(name: string) {
      keyOf(name).failures = 0;
    },
    remove(name: string) {
      const key = keyOf(name);
      key.ready = undefined;
      key.wait = undefined;
    },
    done(name: string) {
      const key = keyOf(name);
      if (key.run && key.ready) {
        // At the end of its priority.
        key.ready.order = order++;
      }
      key.run = undefined;
    },
    /** Returns state, priority, failures and end of the delay of each key that is not idle, by key. */
    snapshot(): Map<string, Pick<QueueEntry, "failures" | "priority" | "readyAtMs" | "state">> {
      const found = new Map();
      for (const [name, { ready, run, wait, failures }] of keys) {
        if (ready || run || wait) {
          const busy = ready ? "running+again" : "running";
          const state = run ? busy : ready ? "ready" : "waiting";
          const priority = (ready ?? run ?? wait)?.priority;
          found.set(name, { state, priority, failures, readyAtMs: wait?.atMs });
        }
      }
      return found;
    },
  };
}

interface Place {
  readonly priority: number;
  readonly order: number;
}

function isBefore(a: Place, b: Place | undefined): boolean {
  return b === undefined || a.priority > b.priority
    ? true
    : a.priority === b.priority && a.order < b.order;
}
