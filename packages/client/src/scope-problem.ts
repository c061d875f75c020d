import { KubeError } from "@typekube/core";

const problems = new WeakSet<KubeError>();

/** The error for a call that does not go together with the scope of its resource, and would with the other scope. */
export function scopeProblem(message: string, hint: string): KubeError {
  const error = new KubeError("InvalidArgument", message, { hint });
  problems.add(error);
  return error;
}

/** Whether an error is about the scope of a resource. */
export function isScopeProblem(error: unknown): boolean {
  return error instanceof KubeError && problems.has(error);
}
