import { isExpired, type KubeError } from "@typekube/core";
import { type Clock, monotonicNow } from "@typekube/core/internal";

/** Milliseconds between two warnings about one informer. */
export const warningIntervalMs = 60_000;

/** Code of the warnings. `node --disable-warning=TYPEKUBE_WATCH` turns them off; so does any `onError`. */
export const watchWarningCode = "TYPEKUBE_WATCH";

/**
 * Returns the error callback that is used without `onError`. An informer whose list is forbidden would otherwise be
 * silent until `synced` is awaited. Prints the first error at once and then at most one a minute, through
 * `process.emitWarning`. Ignores an expired resourceVersion: a relist follows, as it should.
 *
 * @param subject - source of the errors: `the informer of pods`.
 */
export function defaultOnError(subject: string, clock: Clock): (error: KubeError) => void {
  let nextAt = Number.NEGATIVE_INFINITY;
  let suppressed = 0;
  return (error) => {
    if (isExpired(error)) {
      return;
    }
    const now = monotonicNow(clock);
    if (now < nextAt) {
      suppressed += 1;
      return;
    }
    nextAt = now + warningIntervalMs;
    const more = suppressed > 0 ? ` (${suppressed} more errors since the last warning)` : "";
    suppressed = 0;
    process.emitWarning(`${subject}: ${error.message}${more}`, {
      type: "TypeKubeWarning",
      code: watchWarningCode,
      detail:
        "pass onError to handle these errors, or --disable-warning=TYPEKUBE_WATCH to hide them",
    });
  };
}
