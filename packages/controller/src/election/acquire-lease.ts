import type { Live } from "@typekube/api";
import type { Lease } from "@typekube/api/coordination/v1";
import { isAlreadyExists, isConflict, isNotFound } from "@typekube/core";
import type { Claims } from "./claims.js";
import { acquiredLease, newLease, readRecord, renewedLease } from "./lease-record.js";
import type { ObjectStore } from "./object-store.js";
import type { Observation } from "./observation.js";
import type { PassedTime } from "./passed-time.js";

/** A successful write of the lease. */
export interface WrittenLease {
  readonly lease: Live<Lease>;
  /** The moment before the write was sent, by the {@link PassedTime} of the process. */
  readonly sentAt: number;
}

/** Settings of {@link acquireLease}. */
export interface Candidacy {
  readonly store: ObjectStore<Lease>;
  readonly time: PassedTime;
  readonly claims: Claims;
  readonly observation: Observation;
  readonly name: string;
  readonly namespace: string;
  readonly isCoordinated: boolean;
  /** Called with each lease that was read. */
  readonly onRead: (lease: Live<Lease> | undefined) => void;
}

/**
 * Makes one attempt to acquire the lease: creates a missing one, takes a free or expired one, renews an own one.
 *
 * @param isFresh - `true` when the watch has just shown the lease, so that it need not be read first.
 * @returns the written lease; `undefined` when it has another holder, or another candidate was faster.
 */
export async function acquireLease(
  candidacy: Candidacy,
  isFresh: boolean,
  signal: AbortSignal,
): Promise<WrittenLease | undefined> {
  if (isFresh) {
    try {
      return await take(candidacy, signal);
    } catch (error) {
      if (!isOvertaken(error)) {
        throw error;
      }
    }
  }
  candidacy.onRead(await candidacy.store.get(signal));
  try {
    return await take(candidacy, signal);
  } catch (error) {
    if (!isOvertaken(error)) {
      throw error;
    }
    return undefined;
  }
}

/** Returns whether this candidate may write the observed lease. */
export function mayTake({ claims, observation, isCoordinated }: Candidacy): boolean {
  const { lease } = observation;
  const record = lease && readRecord(lease);
  const isOwn = record !== undefined && claims.isOwn(record);
  return isCoordinated
    ? // The API server creates the lease and names its holder, who only renews it.
      isOwn && record.preferredHolder === "" && observation.leftMs() > 0
    : isOwn || observation.leftMs() === 0;
}

async function take(candidacy: Candidacy, signal: AbortSignal): Promise<WrittenLease | undefined> {
  const { store, time, claims, observation, name, namespace } = candidacy;
  if (!mayTake(candidacy)) {
    return undefined;
  }
  const { lease } = observation;
  const claim = claims.current();
  const sentAt = time.now();
  if (lease !== undefined && claims.isOwn(readRecord(lease))) {
    return { lease: await store.update(renewedLease(lease, claim), signal), sentAt };
  }
  claims.remember(claim);
  const written =
    lease === undefined
      ? await store.create(newLease(name, namespace, claim), signal)
      : await store.update(acquiredLease(lease, claim), signal);
  return { lease: written, sentAt };
}

/** Returns whether another process wrote first, which is no failure. */
function isOvertaken(error: unknown): boolean {
  return isConflict(error) || isAlreadyExists(error) || isNotFound(error);
}
