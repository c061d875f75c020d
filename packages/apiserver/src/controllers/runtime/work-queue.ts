import type { Clock } from "@typekube/core/internal";
import type { Work } from "../../time/work.js";
import { type Controller, reactionDelayMs } from "./controller.js";
import { type Reconciliation, reconcileEntry } from "./reconcile-entry.js";
import type { ReportError } from "./report-error.js";
import { createSchedule, type Entry, idOf } from "./schedule.js";

// Captured at load time, so that fake timers of a test framework don't stop the controllers.
const { setImmediate } = globalThis;

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

/** State of one server's queue. */
interface Queue extends Reconciliation {
  readonly ready: Promise<void>;
  readonly ledger: Ledger;
  /** Entries to reconcile now, in order. */
  readonly waiting: Map<string, Entry>;
  isRunning: boolean;
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
  const queue: Queue = {
    ready,
    ledger,
    report,
    waiting: new Map(),
    failures: new Map(),
    reactions: createSchedule(
      clock,
      (entry) => begin(queue, entry),
      (due) => ledger.expect(due),
    ),
    later: createSchedule(clock, (entry) => begin(queue, entry)),
    isRunning: false,
    isStopped: false,
  };
  return {
    add: (controller, key, delayMs = controller.delayMs ?? reactionDelayMs) =>
      add(queue, [controller, key], delayMs),
    stop: () => stop(queue),
  };
}

function add(queue: Queue, entry: Entry, delayMs: number): void {
  if (queue.isStopped || queue.waiting.has(idOf(entry))) {
    return;
  }
  if (delayMs === 0) {
    begin(queue, entry);
  } else {
    queue.reactions.add(entry, delayMs);
  }
}

function stop(queue: Queue): void {
  queue.isStopped = true;
  queue.waiting.clear();
  queue.reactions.clear();
  queue.later.clear();
}

/** Makes an entry ready and starts the queue unless it runs. */
function begin(queue: Queue, entry: Entry): void {
  queue.waiting.set(idOf(entry), entry);
  if (!queue.isRunning) {
    queue.isRunning = true;
    queue.ledger.begin();
    setImmediate(() => void run(queue));
  }
}

async function run(queue: Queue): Promise<void> {
  const { ready, waiting, ledger } = queue;
  await ready;
  for (let looks = 1; waiting.size > 0 && !queue.isStopped; looks++) {
    for (const [id, entry] of waiting) {
      waiting.delete(id);
      const begun = reconcileEntry(queue, entry);
      if (begun !== undefined) {
        await begun;
      }
      break;
    }
    if (looks % timeSlice === 0) {
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }
  queue.isRunning = false;
  ledger.end();
}
