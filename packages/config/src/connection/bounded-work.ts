import { KubeError } from "@typekube/core";
import { type Clock, systemClock } from "@typekube/core/internal";

/** Limits on reading a configuration. */
export interface WorkBounds {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Waits for work until its signal aborts or its timeout expires. The work itself is not stopped.
 *
 * @throws the signal's reason; {@link KubeError} `DeadlineExceeded`.
 */
export async function boundedWork<T>(
  begin: () => Promise<T>,
  { signal, timeoutMs, clock = systemClock }: WorkBounds,
): Promise<T> {
  signal?.throwIfAborted();
  const work = begin();
  if (!signal && timeoutMs === undefined) {
    return work;
  }
  let release = () => {};
  const ended = new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    const cancel =
      timeoutMs === undefined
        ? () => {}
        : clock.schedule(timeoutMs, () =>
            reject(
              new KubeError(
                "DeadlineExceeded",
                `the configuration was not read within ${timeoutMs} ms`,
                { hint: "a file named in it may be on a disk that does not respond" },
              ),
            ),
          );
    release = () => {
      cancel();
      signal?.removeEventListener("abort", onAbort);
    };
  });
  // Ignores late errors of abandoned work.
  work.catch(() => {});
  try {
    return await Promise.race([work, ended]);
  } finally {
    release();
  }
}
