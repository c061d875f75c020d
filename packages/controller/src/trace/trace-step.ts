import { diagnostics, type ReconcileStep } from "@typekube/core/internal";
import { surrounded } from "./surrounded.js";

const started = diagnostics("typekube:reconcile.step.start");
const ended = diagnostics("typekube:reconcile.step.end");

/**
 * Runs a step of a run, and publishes its start and end. Costs a comparison without subscribers.
 *
 * @param isFailure - returns false for errors that only end the run to wait. Default: all are failures.
 */
export function traceStep<T>(
  step: () => ReconcileStep,
  work: () => Promise<T>,
  isFailure: (error: unknown) => boolean = () => true,
): Promise<T> {
  return started.hasSubscribers || ended.hasSubscribers
    ? tracedStep(step(), work, isFailure)
    : work();
}

async function tracedStep<T>(
  step: ReconcileStep,
  work: () => Promise<T>,
  isFailure: (error: unknown) => boolean,
): Promise<T> {
  const call = surrounded((around) => started.publish({ step, around }), work);
  try {
    const result = await call();
    ended.publish({ step });
    return result;
  } catch (error) {
    ended.publish(isFailure(error) ? { step, error } : { step });
    throw error;
  }
}
