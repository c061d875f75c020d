import { KubeError } from "@typekube/core";

const problems = new WeakSet<KubeError>();

/** Builds the error for a call that does not fit the scope of its resource, but would fit the other scope. */
export function scopeProblem(message: string, hint: string): KubeError {
  const error = new KubeError("InvalidArgument", message, { hint });
  problems.add(error);
  return error;
}

/** Returns true for an error about the scope of a resource. */
export function isScopeProblem(error: unknown): boolean {
  return error instanceof KubeError && problems.has(error);
}
