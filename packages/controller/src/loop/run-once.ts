import type { KubeObject, Live } from "@typekube/api";
import { isNotFound } from "@typekube/core";
import { kindId } from "../definition/any-kind.js";
import { isNotReady, type Outcome, type RunResult, readOutcome } from "../definition/outcome.js";
import { prune } from "../run/apply/prune.js";
import { asKept } from "../run/context/as-kept.js";
import type { RunContext } from "../run/context/run-context.js";
import { LazyRunState, type RunState } from "../run/context/run-state.js";
import { waitingOutcome } from "../run/context/waiting.js";
import { type Attempt, ReconcileRun } from "../run/create-run.js";
import { changeFinalizers } from "../run/finalize/change-finalizers.js";
import { writeNotReady } from "../run/status/not-ready-condition.js";
import { writeStatus } from "../run/status/write-status.js";
import { finalizeOnce } from "./finalize-once.js";
import { hasLostChild, refreshOwner } from "./refresh-owner.js";
import type { RunEnd } from "./run-end.js";
import { thrownError } from "./thrown-error.js";

/** The object of a run and its signal. */
export interface RunTarget {
  readonly key: string;
  readonly signal: AbortSignal;
}

/**
 * Reconciles one object once. Never throws and never rejects: an error is a result. Returns a promise only if there is
 * something to wait for.
 */
export function runOnce(
  context: RunContext,
  target: RunTarget,
  attempt: Attempt,
): Promise<RunEnd> | RunEnd {
  const { key } = target;
  const { kind } = context.controller.kind;
  const object = context.caches.get(kindId(kind))?.get(key);
  const state = new LazyRunState(target, object);
  try {
    const run = new ReconcileRun(context, state, attempt);
    const ended = hasLostChild(context, attempt.causes)
      ? refreshOwner(context, state).then(() => runOf(context, state, run))
      : runOf(context, state, run);
    return ended instanceof Promise
      ? ended.catch((thrown: unknown) => failed(context, state, thrown))
      : ended;
  } catch (thrown) {
    return failed(context, state, thrown);
  }
}

function failed(context: RunContext, state: RunState, thrown: unknown): Promise<RunEnd> | RunEnd {
  const waiting = waitingOutcome(thrown);
  return waiting === undefined
    ? { result: "error", error: thrownError("a reconciler", thrown) }
    : requeue(context, state, waiting);
}

function runOf(context: RunContext, state: RunState, run: ReconcileRun): Promise<RunEnd> | RunEnd {
  const { settings } = context.controller;
  const { object } = state;
  if (settings.reconcileKey !== undefined) {
    return endOf(context, state, settings.reconcileKey(state.key, run));
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
  return settings.finalizers.length === 0 || context.finalizers.areReleased
    ? endOf(context, state, settings.reconcile?.(object, run))
    : reconcileFinalizable(context, state, run, object);
}

/** Adds the controller's finalizers, and reconciles in the same run. */
async function reconcileFinalizable(
  context: RunContext,
  state: RunState,
  run: ReconcileRun,
  object: Live<KubeObject>,
): Promise<RunEnd> {
  const finalizable = await withFinalizers(context, state, object);
  if (finalizable === undefined) {
    return { result: "success", skipped: "gone" };
  }
  const { settings, kind } = context.controller;
  const shown = asKept(context, kind.kind, finalizable);
  return endOf(context, state, settings.reconcile?.(shown, run));
}

/** Ends a run with what its reconciler returned: at once unless that is a promise. */
function endOf(context: RunContext, state: RunState, returned: unknown): Promise<RunEnd> | RunEnd {
  return isThenable(returned)
    ? Promise.resolve(returned).then((outcome) => end(context, state, readOutcome(outcome)))
    : end(context, state, readOutcome(returned));
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value;
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

function end(context: RunContext, state: RunState, outcome: Outcome): Promise<RunEnd> | RunEnd {
  if (isNotReady(outcome)) {
    return requeue(context, state, outcome);
  }
  if (outcome?.status !== undefined || (mayPrune(context) && state.object !== undefined)) {
    return writeEnd(context, state, outcome ?? {});
  }
  return outcome === undefined ? done : resultOf(outcome);
}

/** Deletes what is not applied any more, and writes the returned status. */
async function writeEnd(context: RunContext, state: RunState, outcome: RunResult): Promise<RunEnd> {
  if (mayPrune(context) && state.object !== undefined) {
    await prune(context, state, state.object);
  }
  if (outcome.status !== undefined) {
    await writeLastStatus(context, state, outcome.status);
  }
  return resultOf(outcome);
}

function resultOf({ requeueAfterMs = 0, priority }: RunResult): RunEnd {
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
