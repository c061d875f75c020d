import { KubeError } from "@typekube/core";
import { type Clock, linkAbort, sleep } from "@typekube/core/internal";

/** Resolves when a promise does, when some milliseconds are over, or when the signal aborts, whatever comes first. */
export async function waitAtMost(
  clock: Clock,
  ms: number,
  something: Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  using over = linkAbort(signal);
  await Promise.race([something, sleep(clock, Math.max(0, ms), over.signal).catch(() => {})]);
  over.abort(new KubeError("Aborted", "the wait is over"));
}
