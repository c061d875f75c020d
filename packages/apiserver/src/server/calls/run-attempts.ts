import { StatusError } from "../../errors/status-errors.js";
import { withPendingCalls } from "../../time/pending-call.js";

/** The parts of a request that {@link runAttempts} repeats. */
export interface AttemptedRequest {
  /** Texts for `Warning` headers. */
  readonly warnings: string[];
  /** Prepares another attempt. */
  restart(): void;
}

/**
 * Runs a step of a request until no call is pending, discarding the warnings of earlier attempts. A rejection carries the
 * warnings too.
 */
export function runAttempts<T>({ warnings, restart }: AttemptedRequest, step: () => T): Promise<T> {
  const before = warnings.length;
  const again = () => {
    warnings.splice(before);
    restart();
  };
  return withWarnings(warnings, () => withPendingCalls(step, again));
}

/** Attaches the warnings so far to a rejection. */
export async function withWarnings<T>(
  warnings: readonly string[],
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof StatusError) {
      error.warnings = warnings;
    }
    throw error;
  }
}
