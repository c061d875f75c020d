import type { Lease } from "@typekube/api/coordination/v1";
import { isConflict, KubeError, microTime } from "@typekube/core";
import { type Clock, sleep } from "@typekube/core/internal";
import { type LeaseRecord, readRecord, releasedLease } from "./lease-record.js";
import type { ObjectStore } from "./object-store.js";

/** Milliseconds between two attempts to release after a failure. */
const retryMs = 250;

/** Settings of {@link releaseLease}. */
export interface ReleaseSettings {
  readonly store: ObjectStore<Lease>;
  readonly clock: Clock;
  /** Returns whether the releasing elector holds the lease. */
  readonly isOwn: (record: LeaseRecord) => boolean;
  /** Milliseconds for all attempts. */
  readonly limitMs: number;
  readonly onError: (error: KubeError) => void;
}

/**
 * Empties the holder of a lease, so that others can take it at once. Reads the lease first and starts over after a
 * conflict: a renewal may have been in flight.
 *
 * @returns `true` when the lease was released; `false` when it has another holder, is missing, or no write succeeded in time.
 */
export async function releaseLease({
  store,
  clock,
  isOwn,
  limitMs,
  onError,
}: ReleaseSettings): Promise<boolean> {
  const late = new AbortController();
  const cancel = clock.schedule(limitMs, () =>
    late.abort(
      new KubeError("DeadlineExceeded", `the lease was not released within ${limitMs} ms`),
    ),
  );
  let hasTried = false;
  const attempt = async (): Promise<boolean> => {
    const lease = await store.get(late.signal);
    const record = lease && readRecord(lease);
    if (lease === undefined || record === undefined || !isOwn(record)) {
      // The response to an earlier attempt may have been lost.
      return hasTried && record?.holder === "";
    }
    hasTried = true;
    await store.update(releasedLease(lease, microTime(undefined, clock)), late.signal);
    return true;
  };
  try {
    while (!late.signal.aborted) {
      try {
        return await attempt();
      } catch (caught) {
        if (isConflict(caught)) {
          continue;
        }
        onError(KubeError.from(caught));
        await sleep(clock, retryMs, late.signal).catch(() => {});
      }
    }
    return false;
  } finally {
    cancel();
  }
}
