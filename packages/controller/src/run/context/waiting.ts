import { KubeError } from "@typekube/core";
import { type NotReady, notReady } from "../../definition/outcome.js";

/** Outcomes by the error that carries them out of a run. */
const outcomes = new WeakMap<object, NotReady>();

/**
 * Returns the error that ends a run which has to wait for something: the loop takes it as `notReady`, not as a failure.
 *
 * @param reason - one word in CamelCase.
 */
export function waitingFor(reason: string, message: string): KubeError {
  const error = new KubeError("InvalidState", message);
  outcomes.set(error, notReady(reason, message));
  return error;
}

/** Returns the outcome that an error carries; `undefined` for a failure. */
export function waitingOutcome(error: unknown): NotReady | undefined {
  return typeof error === "object" && error !== null ? outcomes.get(error) : undefined;
}
