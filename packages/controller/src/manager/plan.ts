import { isJsonObject, type ScopedWrite, withCallScope } from "@typekube/core/internal";
import { silentEvents } from "../events/silent-events.js";
import { runOnce } from "../loop/run-once.js";
import { AppliedMemory } from "../run/apply/applied-memory.js";
import { OwnWrites } from "../run/context/own-writes.js";
import type { RunContext } from "../run/context/run-context.js";
import { StatusChurn } from "../run/status/status-churn.js";

/** A write that a run would make. */
export interface PlannedWrite {
  readonly method: "DELETE" | "PATCH" | "POST" | "PUT";
  /** `apps/v1/Deployment`, followed by the subresource: `apps/v1/Deployment/status`. */
  readonly kind: string;
  /** The object as the server would store it, or its Status for a delete. */
  readonly response: unknown;
}

/** Runs a reconciler once with every write as a dry run; see `RunningController.plan`. */
export async function planRun(context: RunContext, key: string): Promise<PlannedWrite[]> {
  const writes: PlannedWrite[] = [];
  const scope = {
    dryRun: "All",
    fieldManager: context.controller.name,
    onWrite: ({ method, apiVersion, kind, subresource, response }: ScopedWrite) => {
      const place = subresource === undefined ? "" : `/${subresource}`;
      writes.push({
        method,
        kind: `${apiVersion}/${kind}${place}`,
        response: isJsonObject(response) ? { ...response } : response,
      });
    },
  } as const;
  const dry: RunContext = {
    ...context,
    events: silentEvents,
    ownWrites: new OwnWrites(),
    applied: new AppliedMemory(),
    churn: new StatusChurn(context.clock),
    isDryRun: true,
  };
  const { signal } = new AbortController();
  const attempt = {
    attempt: 1,
    isLastAttempt: false,
    causes: { forDebug: [{ type: "trigger" }] },
    random: Math.random,
  } as const;
  const end = await withCallScope(scope, () => runOnce(dry, { key, signal }, attempt));
  if (end.result === "error") {
    throw end.error;
  }
  return writes;
}
