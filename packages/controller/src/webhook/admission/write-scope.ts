import { KubeError } from "@typekube/core";
import type { CallScope } from "@typekube/core/internal";

/** Reviews are created and leave nothing behind. */
const reviews = /^\/apis\/(?:authentication|authorization)\.k8s\.io\//;

/**
 * Returns the scope of calls that a handler makes with any client of this library: they end with the review, and writes
 * are refused where the webhook declares that it has no side effects.
 */
export function writeScope(
  name: string,
  sideEffects: "None" | "NoneOnDryRun",
  dryRun: boolean,
  signal: AbortSignal,
): CallScope {
  if (sideEffects === "NoneOnDryRun" && !dryRun) {
    return { signal };
  }
  const why = dryRun
    ? `the webhook ${name} must not write in a dry run`
    : `the webhook ${name} declares no side effects`;
  const hint = dryRun
    ? "check dryRun of the request first"
    : 'set sideEffects: "NoneOnDryRun", and write only when dryRun of the request is false';
  return {
    signal,
    beforeAttempt({ method, path }) {
      if (method !== "GET" && !reviews.test(path)) {
        throw new KubeError("InvalidState", `${why}: ${method} ${path}`, { hint });
      }
    },
  };
}
