import { KubeError } from "@typekube/core";

/** How many causes of an error are searched. */
const maxCauses = 16;

/**
 * Creates an error that a retry cannot help: thrown by a reconciler, it ends the attempts until something about the
 * object changes. (controller-runtime's TerminalError)
 *
 * @param cause - text or an error. Default: no details.
 */
export function terminal(cause?: unknown): KubeError {
  const message =
    typeof cause === "string"
      ? cause
      : cause instanceof Error
        ? cause.message
        : "the reconcile cannot succeed until the object changes";
  return new KubeError("Terminal", message, typeof cause === "string" ? {} : { cause });
}

/** Returns true for a terminal error, and for one that has such an error among its causes. */
export function isTerminal(error: unknown): boolean {
  let one = error;
  for (let depth = 0; depth < maxCauses && one instanceof Error; depth++) {
    if (one instanceof KubeError && one.code === "Terminal") {
      return true;
    }
    one = one.cause;
  }
  return false;
}
