import { StatusError } from "../../errors/status-errors.js";
import { PendingCall } from "../../time/pending-call.js";
import type { Reconciled } from "./controller.js";
import type { ReportError } from "./report-error.js";
import { type Entry, idOf, type Schedule } from "./schedule.js";

/** Milliseconds of the server's clock until a failed reconcile is retried: doubled after each failure. */
const retryDelayMs = { first: 100, last: 60_000 };

/** The schedules for further reconciles of an entry, and its failures. */
export interface Reconciliation {
  readonly report: ReportError;
  /** Number of consecutive failures by entry. */
  readonly failures: Map<string, number>;
  /** Reactions to changes, which `settled()` waits for. */
  readonly reactions: Schedule;
  readonly later: Schedule;
  isStopped: boolean;
}

/** Reconciles an entry; returns a promise only if its controller does. */
export function reconcileEntry(queue: Reconciliation, entry: Entry): Promise<void> | undefined {
  try {
    const [controller, key] = entry;
    const result = controller.reconcile(key);
    if (result instanceof Promise) {
      return result.then(
        (reconciled) => succeed(queue, entry, reconciled),
        (error: unknown) => end(queue, entry, error),
      );
    }
    succeed(queue, entry, result);
  } catch (error) {
    return end(queue, entry, error);
  }
  return undefined;
}

/** Ends a reconcile that threw. If it waits for a webhook, it is run again after the call. */
function end(queue: Reconciliation, entry: Entry, error: unknown): Promise<void> | undefined {
  if (!(error instanceof PendingCall)) {
    fail(queue, entry, error);
    return undefined;
  }
  return error.prepare().then(
    () => (queue.isStopped ? undefined : reconcileEntry(queue, entry)),
    (reason: unknown) => fail(queue, entry, reason),
  );
}

function succeed(queue: Reconciliation, entry: Entry, result: Reconciled): void {
  queue.failures.delete(idOf(entry));
  wait(queue, entry, result);
}

function fail(queue: Reconciliation, entry: Entry, error: unknown): void {
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

function wait(
  { isStopped, reactions, later }: Reconciliation,
  entry: Entry,
  result: Reconciled,
): void {
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
