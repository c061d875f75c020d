import type { KubeObject, Live } from "@typekube/api";
import { isNotReady, type Outcome, readOutcome } from "../definition/outcome.js";
import { pruneLabelled } from "../run/apply/prune.js";
import { asKept } from "../run/context/as-kept.js";
import type { RunContext } from "../run/context/run-context.js";
import type { RunState } from "../run/context/run-state.js";
import { waitingOutcome } from "../run/context/waiting.js";
import type { ReconcileRun } from "../run/create-run.js";
import { changeFinalizers } from "../run/finalize/change-finalizers.js";
import { writeNotReady } from "../run/status/not-ready-condition.js";
import { writeFinalizing } from "./finalizing.js";
import type { RunEnd } from "./run-end.js";
import { thrownError } from "./thrown-error.js";

/**
 * Runs the finalizers of the controller on an object that is being deleted, in their order, and removes each once it is
 * done. An object without a finalizer of ours is left alone: the server would refuse a new one.
 */
export async function finalizeOnce(
  context: RunContext,
  state: RunState,
  run: ReconcileRun,
  object: Live<KubeObject>,
): Promise<RunEnd> {
  const present = object.metadata.finalizers ?? [];
  const own = context.controller.settings.finalizers.filter(({ name }) => present.includes(name));
  const { kind } = context.controller.kind;
  let current = object;
  for (const [at, { name, finalize }] of own.entries()) {
    let outcome: Outcome;
    try {
      outcome = readOutcome(await finalize(asKept(context, kind, current), run));
    } catch (thrown) {
      if (waitingOutcome(thrown) !== undefined || state.signal.aborted) {
        throw thrown;
      }
      const error = thrownError("a finalizer", thrown);
      await writeFinalizing(context, state, current, name, error);
      return { result: "error", error, finalizer: name };
    }
    if (isNotReady(outcome)) {
      await writeNotReady(context, state, outcome.reason, outcome.message);
      return { result: "requeue", reason: outcome.reason };
    }
    if ((outcome?.requeueAfterMs ?? 0) > 0) {
      return { result: "requeue_after", requeueAfterMs: outcome?.requeueAfterMs };
    }
    if (at === own.length - 1 && !(await pruneLabelled(context, state, object))) {
      return { result: "requeue", reason: "DeletingChildren" };
    }
    const changed = await changeFinalizers(context, state, current, (finalizers) =>
      finalizers.filter((one) => one !== name),
    );
    if (changed === undefined) {
      break;
    }
    current = changed;
  }
  return { result: "success", skipped: own.length === 0 ? "deleted" : undefined };
}
