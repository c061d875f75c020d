import type { Clock } from "@typekube/core/internal";
import { StatusError } from "../../errors/status-errors.js";
import type { Work } from "../../time/work.js";
import { type Controller, type Reconciled, reactionDelayMs } from "./controller.js";
import type { ReportError } from "./report-error.js";
import { createSchedule, type Entry, idOf } from "./schedule.js";

// Captured at load time, so that fake timers of a test framework don't stop the controllers.
const { setImmediate } = globalThis;

/** Milliseconds of the server's clock until a failed reconcile is retried: doubled after each failure. */
const retryDelayMs = { first: 100, last: 60_000 };

/**
 * Reconciles before the queue yields to the event loop. Usually it is empty long before, unless controllers trigger
 * each other endlessly.
 */
const timeSlice = 100_000;

/** Tracker to which the queue reports its work and its next reaction. */
export type Ledger = Pick<Work, "begin" | "end" | "expect">;

/** Keys for the controllers of one server to reconcile, each at most once, in the order in which they were added. */
export interface WorkQueue {
  /**
   * Adds a key.
   *
   * @param delayMs - delay before the reconcile. Default: the controller's own delay.
   */
  add(controller: Controller, key: string, delayMs?: number): void;
  /** Drops all keys and ignores further ones. */
  stop(): void;
}

/**
 * Creates the queue of one server. Each key waits for its delay; then the queue runs until no key is ready.
 *
 * @param ready - awaited before the first reconcile.
 * @param ledger - tracks work and due reactions; longer waits are not reported to it.
 * @param report - called with each error that is not a rejected write.
 */
export function createWorkQueue(
  clock: Clock,
  ready: Promise<void>,
  ledger: Ledger,
  report: ReportError,
): WorkQueue {
  const waiting = new Map<string, Entry>();
  const failures = new Map<string, number>();
  let isRunning = false;
  let isStopped = false;

  const begin = (entry: Entry) => {
    waiting.set(idOf(entry), entry);
    if (!isRunning) {
      isRunning = true;
      ledger.begin();
      setImmediate(() => void run());
    }
  };
  const reactions = createSchedule(clock, begin, ledger.expect);
  const later = createSchedule(clock, begin);

  const run = async () => {
    await ready;
    for (let looks = 1; waiting.size > 0 && !isStopped; looks++) {
      for (const [id, entry] of waiting) {
        waiting.delete(id);
        const begun = look(entry);
        if (begun !== undefined) {
          await begun;
        }
        break;
      }
      if (looks % timeSlice === 0) {
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
    }
    isRunning = false;
    ledger.end();
  };

  const look = (entry: Entry): Promise<void> | undefined => {
    const id = idOf(entry);
    const done = (result: Reconciled) => {
      failures.delete(id);
      wait(entry, result);
    };
    const failed = (error: unknown) => {
      // A rejection may be temporary; any other error is a bug and must not go unnoticed.
      const isRejection = error instanceof StatusError;
      if (!isRejection) {
        report(entry, error);
      }
      const count = failures.get(id) ?? 0;
      failures.set(id, count + 1);
      const afterMs = Math.min(retryDelayMs.first * 2 ** count, retryDelayMs.last);
      wait(entry, isRejection ? afterMs : { afterMs, kind: "background" });
    };
    try {
      const [controller, key] = entry;
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

  const wait = (entry: Entry, result: Reconciled) => {
    if (isStopped || result === undefined) {
      return;
    }
    const { afterMs, kind } =
      typeof result === "number" ? { afterMs: result, kind: "plain" } : result;
    if (kind === "reaction") {
      reactions.add(entry, afterMs);
    } else {
      later.add(entry, afterMs, kind === "background");
    }
  };

  return {
    add(controller, key, delayMs = controller.delayMs ?? reactionDelayMs) {
      const entry: Entry = [controller, key];
      if (isStopped || waiting.has(idOf(entry))) {
        return;
      }
      if (delayMs === 0) {
        begin(entry);
      } else {
        reactions.add(entry, delayMs);
      }
    },
    stop() {
      isStopped = true;
      waiting.clear();
      reactions.clear();
      later.clear();
    },
  };
}
