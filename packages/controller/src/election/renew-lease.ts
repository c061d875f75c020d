import type { Live } from "@typekube/api";
import type { Lease } from "@typekube/api/coordination/v1";
import { isConflict, isNotFound, KubeError } from "@typekube/core";
import type { WrittenLease } from "./acquire-lease.js";
import type { Claims } from "./claims.js";
import { type LeaseRecord, newLease, readRecord, renewedLease } from "./lease-record.js";
import type { ObjectStore } from "./object-store.js";
import type { PassedTime } from "./passed-time.js";
import type { Term } from "./term.js";

/** Settings of {@link renewLease}. */
export interface RenewSettings {
  readonly store: ObjectStore<Lease>;
  readonly time: PassedTime;
  readonly claims: Claims;
  readonly name: string;
  readonly namespace: string;
  readonly isCoordinated: boolean;
  /** Called with the lease when it was read. */
  readonly onRead: (lease: Live<Lease> | undefined) => void;
  /** Called when the lease has to be read first. */
  readonly onSlowPath: () => void;
  readonly onError: (error: KubeError) => void;
}

/**
 * Renews the lease of a term. The fast path writes the lease as last known; after any failure the slow path reads it
 * first. (client-go `tryAcquireOrRenew`)
 *
 * @param isSuspect - `true` when the lease may have another holder: the fast path is left out.
 * @returns the written lease; `undefined` when the term has ended.
 * @throws {KubeError} when the lease could not be renewed this time.
 */
export async function renewLease(
  settings: RenewSettings,
  term: Term,
  isSuspect: boolean,
): Promise<WrittenLease | undefined> {
  const { store, time, claims, onError } = settings;
  if (!isSuspect) {
    const sentAt = time.now();
    try {
      const renewed = renewedLease(term.lease, claims.current());
      return { lease: await store.update(renewed, term.signal), sentAt };
    } catch (error) {
      if (!term.isHeld) {
        return undefined;
      }
      if (!isConflict(error) && !isNotFound(error)) {
        onError(KubeError.from(error));
      }
    }
  }
  return renewSlowly(settings, term);
}

async function renewSlowly(settings: RenewSettings, term: Term): Promise<WrittenLease | undefined> {
  const { store, time, claims, onRead, onSlowPath } = settings;
  onSlowPath();
  const lease = await store.get(term.signal);
  onRead(lease);
  if (!term.isHeld) {
    return undefined;
  }
  const sentAt = time.now();
  if (lease === undefined) {
    const missing = recreated(settings, term);
    return missing && { lease: await store.create(missing, term.signal), sentAt };
  }
  const reason = lossOf(settings, readRecord(lease));
  if (reason !== undefined) {
    term.lose(reason);
    return undefined;
  }
  return { lease: await store.update(renewedLease(lease, claims.current()), term.signal), sentAt };
}

/** Returns a deleted lease as its holder creates it again; `undefined` when only the API server may do so. */
function recreated(
  { claims, name, namespace, isCoordinated }: RenewSettings,
  term: Term,
): Lease | undefined {
  if (isCoordinated) {
    term.lose(`the lease ${namespace}/${name} was deleted`);
    return undefined;
  }
  const { acquireTime, leaseTransitions } = term.lease.spec ?? {};
  const lease = newLease(name, namespace, claims.current());
  return { ...lease, spec: { ...lease.spec, acquireTime, leaseTransitions } };
}

/** Returns why a lease is lost; `undefined` when it is still held. */
function lossOf(
  { claims, name, namespace, isCoordinated }: RenewSettings,
  record: LeaseRecord,
): string | undefined {
  if (!claims.isOwn(record)) {
    return `the lease ${namespace}/${name} ${record.holder ? `is held by ${record.holder}` : "was released by another process"}`;
  }
  return isCoordinated && record.preferredHolder !== ""
    ? `the lease ${namespace}/${name} is to go to ${record.preferredHolder}`
    : undefined;
}

/** Returns whether a leader must check its lease after seeing it in this form. */
export function isLossLikely(settings: RenewSettings, lease: Lease | undefined): boolean {
  return lease === undefined || lossOf(settings, readRecord(lease)) !== undefined;
}
