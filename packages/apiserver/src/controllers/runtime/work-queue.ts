import type { Clock } from "@typekube/core/internal";
import { StatusError } from "../../errors/status-errors.js";
import type { Work } from "../../time/work.js";
import { type Controller, type Reconciled, reactionDelayMs } from "./controller.js";
import type { ReportError } from "./report-error.js";
import { createSchedule, type Entry, idOf, type Schedule } from "./schedule.js";

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

/** State of one server's queue. */
interface Queue {
  readonly ready: Promise<void>;
  readonly ledger: Ledger;
  readonly report: ReportError;
  /** Entries to reconcile now, in order. */
  readonly waiting: Map<string, Entry>;
  /** Number of consecutive failures by entry. */
  readonly failures: Map<string, number>;
  /** Reactions to changes, which are reported to the ledger. */
  readonly reactions: Schedule;
  readonly later: Schedule;
  isRunning: boolean;
  isStopped: boolean;
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
    reactions: createSchedule(clock, (entry) => begin(queue, entry), ledger.expect),
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
      const begun = look(queue, entry);
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

/** Reconciles an entry; returns a promise only if its controller does. */
function look(queue: Queue, entry: Entry): Promise<void> | undefined {
  try {
    const [controller, key] = entry;
    const result = controller.reconcile(key);
    if (result instanceof Promise) {
      return result.then(
        (reconciled) => succeed(queue, entry, reconciled),
        (error: unknown) => fail(queue, entry, error),
      );
    }
    succeed(queue, entry, result);
  } catch (error) {
    fail(queue, entry, error);
  }
  return undefined;
}

function succeed(queue: Queue, entry: Entry, result: Reconciled): void {
  queue.failures.delete(idOf(entry));
  wait(queue, entry, result);
}

function fail(queue: Queue, entry: Entry, error: unknown): void {
  // A rejection may be temporary; any other error is a bug and must not go unnoticed.
  const isRejection = error instanceof StatusError;
  if (!isRejection) {
    queue.report(entry, error);
  }
  const id = idOf(entry);
  const count = queue.failures.get(id) ?? 0;
  queue.failures.set(id, count + 1);
  const afterMs = Math.min(retryDelayMs.first * 2 ** count, retryDelayMs.last);
  wait(queue, entry, isRejection ? afterMs : { afterMs, kind: "background" });
}

function wait({ isStopped, reactions, later }: Queue, entry: Entry, result: Reconciled): void {
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
}
