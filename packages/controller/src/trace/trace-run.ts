import { randomUUID } from "node:crypto";
import { diagnostics, type ReconcileEnded, type ReconcileIdentity } from "@typekube/core/internal";
import type { Cause } from "../run/causes.js";
import { surrounded } from "./surrounded.js";

const queued = diagnostics("typekube:reconcile.queued");
const started = diagnostics("typekube:reconcile.start");
const ended = diagnostics("typekube:reconcile.end");

/** A run that diagnostics subscribers observe. */
export interface TracedRun {
  readonly reconcileId: string;
  /** Runs the work as the subscribers want it. */
  call<T>(work: () => T): T;
  end(event: Omit<ReconcileEnded, "run">): void;
}

/** Publishes that a key was queued. Costs a comparison without subscribers. */
export function traceQueued(controller: string, key: string, cause: Cause): void {
  if (queued.hasSubscribers) {
    queued.publish({ controller, key, cause });
  }
}

/** Returns the trace of a run that begins; `undefined` without subscribers. */
export function traceRun(
  identify: () => Omit<ReconcileIdentity, "reconcileId">,
  causesOf: () => readonly Cause[],
): TracedRun | undefined {
  if (!started.hasSubscribers && !ended.hasSubscribers) {
    return undefined;
  }
  const causes = causesOf();
  const run: ReconcileIdentity = { ...identify(), reconcileId: randomUUID() };
  return {
    reconcileId: run.reconcileId,
    call: (work) => surrounded((around) => started.publish({ run, causes, around }), work)(),
    end: (event) => ended.publish({ run, ...event }),
  };
}
