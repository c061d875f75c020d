import type { KubeError } from "@typekube/core";
import { type Clock, monotonicNow } from "@typekube/core/internal";

/** Milliseconds between two warnings about one elector. */
const warningIntervalMs = 60_000;

/** Returns the error callback that is used without `onError`: at most one warning a minute through `process.emitWarning`. */
export function warnOfErrors(subject: string, clock: Clock): (error: KubeError) => void {
  let nextAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    const now = monotonicNow(clock);
    if (now >= nextAt) {
      nextAt = now + warningIntervalMs;
      process.emitWarning(`${subject}: ${error.message}`, {
        type: "TypeKubeWarning",
        code: "TYPEKUBE_ELECTION",
        detail:
          "pass onError to handle these errors, or --disable-warning=TYPEKUBE_ELECTION to hide them",
      });
    }
  };
}
