import type { Clock } from "@typekube/core";
import type { Work } from "../control/work.js";
import { StatusError } from "../response/status-errors.js";
import type { Controller } from "./controller.js";

// Taken once, so that a test framework that fakes timers does not stop the controllers.
const { setImmediate } = globalThis;

/** Milliseconds of the server's clock until something that failed is tried again: twice as many after each failure. */
const retryDelayMs = { first: 100, last: 60_000 };

/** How many keys are looked at before others may run. Rest comes long before, or something goes round in a circle. */
const turn = 100_000;

type Entry = readonly [controller: Controller, key: string];

/** Keys that wait for the same time. */
interface Moment {
  readonly entries: Map<string, Entry>;
  readonly cancel: () => void;
}

/** Where it is written down that something goes on. */
export type Ledger = Pick<Work, "begin" | "end">;

/** What the controllers of one server still have to look at, each key once, in the order in which it came up. */
export interface WorkQueue {
  add(controller: Controller, key: string): void;
  /** Looks at nothing any more. */
  stop(): void;
}

/**
 * Makes the queue of one server. It runs after the write that fills it, in one go until nothing is left, and sleeps
 * otherwise.
 *
 * @param ready - is awaited before the first key is looked at.
 * @param ledger - is told when there is work and when it is done; what waits for the clock is none.
 */
export function createWorkQueue(clock: Clock, ready: Promise<void>, ledger: Ledger): WorkQueue {
  const waiting = new Map<string, Entry>();
  /** When each key that waits for the clock has its turn. */
  const later = new Map<string, number>();
  /** One timer for all keys of a moment: what belongs together is looked at together. */
  const moments = new Map<number, Moment>();
  const failures = new Map<string, number>();
  let isRunning = false;
  let isStopped = false;

  const add = (controller: Controller, key: string) => {
    const id = `${controller.name} ${key}`;
    if (isStopped || waiting.has(id)) {
      return;
    }
    waiting.set(id, [controller, key]);
    if (!isRunning) {
      isRunning = true;
      ledger.begin();
      setImmediate(() => void run());
    }
  };

  const run = async () => {
    await ready;
    for (let looks = 1; waiting.size > 0 && !isStopped; looks++) {
      for (const [id, [controller, key]] of waiting) {
        waiting.delete(id);
        const begun = look(id, controller, key);
        if (begun !== undefined) {
          await begun;
        }
        break;
      }
      if (looks % turn === 0) {
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
    }
    isRunning = false;
    ledger.end();
  };

  const look = (id: string, controller: Controller, key: string): Promise<void> | undefined => {
    const done = (afterMs: number | undefined) => {
      failures.delete(id);
      if (afterMs !== undefined) {
        addLater(id, controller, key, afterMs);
      }
    };
    const failed = (error: unknown) => {
      // A refusal may be over later; anything else is a mistake that nobody should have to search for.
      if (!(error instanceof StatusError)) {
        setImmediate(() => {
          throw error;
        });
        return;
      }
      const count = failures.get(id) ?? 0;
      failures.set(id, count + 1);
      addLater(id, controller, key, Math.min(retryDelayMs.first * 2 ** count, retryDelayMs.last));
    };
    try {
      const result = controller.reconcile(key);
      if (result instanceof Promise) {
        return result.then(done, failed);
      }
      done(result);
    } catch (error) {
      failed(error);
    }
    return undefined;
  };

  const addLater = (id: string, controller: Controller, key: string, afterMs: number) => {
    const due = clock.now() + afterMs;
    const other = later.get(id);
    if (isStopped || (other !== undefined && other <= due)) {
      return;
    }
    if (other !== undefined) {
      moments.get(other)?.entries.delete(id);
    }
    later.set(id, due);
    let moment = moments.get(due);
    if (moment === undefined) {
      moment = { entries: new Map(), cancel: clock.schedule(afterMs, () => begin(due)) };
      moments.set(due, moment);
    }
    moment.entries.set(id, [controller, key]);
  };

  const begin = (due: number) => {
    const entries = moments.get(due)?.entries ?? [];
    moments.delete(due);
    for (const [id, [controller, key]] of entries) {
      later.delete(id);
      add(controller, key);
    }
  };

  return {
    add,
    stop() {
      isStopped = true;
      waiting.clear();
      for (const { cancel } of moments.values()) {
        cancel();
      }
      moments.clear();
    },
  };
}
