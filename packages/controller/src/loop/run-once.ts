import type { KubeObject, Live } from "@typekube/api";
import { isNotFound } from "@typekube/core";
import { kindId } from "../definition/kind-choice.js";
import { nameOfKey } from "../definition/object-key.js";
import { isNotReady, type Outcome, type RunResult, readOutcome } from "../definition/outcome.js";
import { prune } from "../run/apply/prune.js";
import { type Attempt, ReconcileRun } from "../run/create-run.js";
import { changeFinalizers } from "../run/finalize/change-finalizers.js";
import type { RunContext } from "../run/run-context.js";
import type { RunState } from "../run/run-state.js";
import { writeNotReady } from "../run/status/not-ready-condition.js";
import { writeStatus } from "../run/status/write-status.js";
import { waitingOutcome } from "../run/waiting.js";
import { finalizeOnce } from "./finalize-once.js";
import { hasLostChild, refreshOwner } from "./refresh-owner.js";
import type { RunEnd } from "./run-end.js";
import { thrownError } from "./thrown-error.js";

/** The object of a run and its signal. */
export interface RunTarget {
  readonly key: string;
  readonly signal: AbortSignal;
}

/** Reconciles one object once. Never rejects: an error is a result. */
export async function runOnce(
  context: RunContext,
  target: RunTarget,
  attempt: Attempt,
): Promise<RunEnd> {
  const { key } = target;
  const { kind } = context.controller.kind;
  const state: RunState = {
    key,
    namespace: nameOfKey(key).namespace,
    object: context.caches.get(kindId(kind))?.get(key),
    // Made when it is first used.
    get signal() {
      return target.signal;
    },
    applied: new Set(),
    unready: new Map(),
  };
  try {
    if (hasLostChild(context, attempt.causes)) {
      await refreshOwner(context, state);
    }
    return await runOf(context, state, new ReconcileRun(context, state, attempt));
  } catch (thrown) {
    const waiting = waitingOutcome(thrown);
    return waiting === undefined
      ? { result: "error", error: thrownError("a reconciler", thrown) }
      : requeue(context, state, waiting);
  }
}

async function runOf(context: RunContext, state: RunState, run: ReconcileRun): Promise<RunEnd> {
  const { settings } = context.controller;
  const { object } = state;
  if (settings.reconcileKey !== undefined) {
    const outcome = readOutcome(await settings.reconcileKey(state.key, run));
    return end(context, state, outcome);
  }
  if (object === undefined) {
    return { result: "success", skipped: "gone" };
  }
  const isDeleting = object.metadata.deletionTimestamp !== undefined;
  if (settings.pauseWhen(object) && (!isDeleting || settings.pauseDeletion)) {
    return { result: "success", skipped: "paused" };
  }
  if (isDeleting) {
    return finalizeOnce(context, state, run, object);
  }
  // Without an await when there is nothing to wait for: that would be half of the time of an empty run.
  const { finalizers } = settings;
  const finalizable =
    finalizers.length === 0 ? object : await withFinalizers(context, state, object);
  if (finalizable === undefined) {
    return { result: "success", skipped: "gone" };
  }
  const outcome = readOutcome(await settings.reconcile?.(finalizable, run));
  return outcome === undefined && !mayPrune(context) ? done : end(context, state, outcome);
}

/** Adds the controller's finalizers, before anything is made that they clean up. */
async function withFinalizers(
  context: RunContext,
  state: RunState,
  object: Live<KubeObject>,
): Promise<Live<KubeObject> | undefined> {
  const { finalizers } = context.controller.settings;
  const present = object.metadata.finalizers ?? [];
  const missing = finalizers.filter(({ name }) => !present.includes(name)).map(({ name }) => name);
  return missing.length === 0
    ? object
    : changeFinalizers(context, state, object, (current) => [
        ...current,
        ...missing.filter((name) => !current.includes(name)),
      ]);
}

/** The end of a run that asks for nothing. */
const done: RunEnd = { result: "success" };

function mayPrune({ controller: { owns, settings } }: RunContext): boolean {
  return settings.prune && owns.length > 0;
}

async function end(context: RunContext, state: RunState, outcome: Outcome): Promise<RunEnd> {
  if (isNotReady(outcome)) {
    return requeue(context, state, outcome);
  }
  const { object } = state;
  if (mayPrune(context) && object !== undefined) {
    await prune(context, state, object);
  }
  const { status, requeueAfterMs = 0, priority }: RunResult = outcome ?? {};
  if (status !== undefined) {
    await writeLastStatus(context, state, status);
  }
  return requeueAfterMs > 0
    ? { result: "requeue_after", requeueAfterMs, priority }
    : { result: "success", priority };
}

/** Writes the status that a run returned, unless the object was deleted in the meantime. */
async function writeLastStatus(
  context: RunContext,
  state: RunState,
  status: unknown,
): Promise<void> {
  try {
    await writeStatus(context, state, status);
  } catch (error) {
    if (!isNotFound(error)) {
      throw error;
    }
  }
}

async function requeue(
  context: RunContext,
  state: RunState,
  { reason, message }: { readonly reason: string; readonly message: string | undefined },
): Promise<RunEnd> {
  await writeNotReady(context, state, reason, message);
  return { result: "requeue", reason };
}
