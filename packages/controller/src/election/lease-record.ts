import type { Lease } from "@typekube/api/coordination/v1";

/** The election's part of a Lease, with absent and null fields filled in. */
export interface LeaseRecord {
  /** Identity of the holder; "" when the lease is free. */
  readonly holder: string;
  /** Milliseconds for which the lease is valid without a renewal; 0 when the lease does not say it. */
  readonly durationMs: number;
  readonly acquireTime: string;
  readonly renewTime: string;
  /** Number of times that the lease changed its holder. */
  readonly transitions: number;
  /** Strategy of a coordinated election (KEP-4355), else "". */
  readonly strategy: string;
  /** Candidate to which the holder should yield (KEP-4355), else "". */
  readonly preferredHolder: string;
}

/** Values that a holder writes into its lease. */
export interface LeaseClaim {
  readonly identity: string;
  readonly leaseDurationMs: number;
  /** Labels to set; others are kept. */
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** The time of day, as a MicroTime. */
  readonly now: string;
}

/** Returns the record of a lease. */
export function readRecord({ spec }: Lease): LeaseRecord {
  // Other programs may write null for an absent field.
  return {
    holder: spec?.holderIdentity ?? "",
    durationMs: (spec?.leaseDurationSeconds ?? 0) * 1_000,
    acquireTime: spec?.acquireTime ?? "",
    renewTime: spec?.renewTime ?? "",
    transitions: spec?.leaseTransitions ?? 0,
    strategy: spec?.strategy ?? "",
    preferredHolder: spec?.preferredHolder ?? "",
  };
}

/** Returns whether two records are equal in every field. */
export function isSameRecord(a: LeaseRecord, b: LeaseRecord): boolean {
  return (Object.keys(a) as (keyof LeaseRecord)[]).every((key) => a[key] === b[key]);
}

/** Returns a new lease that its creator holds. */
export function newLease(name: string, namespace: string, claim: LeaseClaim): Lease {
  return withLabels(
    {
      metadata: { name, namespace },
      spec: { ...held(claim), acquireTime: claim.now, leaseTransitions: 0 },
    },
    claim,
  );
}

/** Returns an existing lease with a new holder. Fields of others are kept. */
export function acquiredLease<L extends Lease>(lease: L, claim: LeaseClaim): L {
  return withLabels(
    {
      ...lease,
      spec: {
        ...lease.spec,
        ...held(claim),
        acquireTime: claim.now,
        leaseTransitions: readRecord(lease).transitions + 1,
      },
    },
    claim,
  );
}

/** Returns a lease renewed by its holder: acquireTime and leaseTransitions are kept. */
export function renewedLease<L extends Lease>(lease: L, claim: LeaseClaim): L {
  return withLabels({ ...lease, spec: { ...lease.spec, ...held(claim) } }, claim);
}

/** Seconds that a released lease is valid: no holder has it, but validation rejects 0. (client-go) */
const releasedSeconds = 1;

/** Returns a lease without a holder: others may take it at once. */
export function releasedLease<L extends Lease>(lease: L, now: string): L {
  return {
    ...lease,
    spec: {
      ...lease.spec,
      holderIdentity: "",
      leaseDurationSeconds: releasedSeconds,
      acquireTime: now,
      renewTime: now,
    },
  };
}

function held({ identity, leaseDurationMs, now }: LeaseClaim) {
  return {
    holderIdentity: identity,
    // Rounded up: others must not take the lease too early.
    leaseDurationSeconds: Math.ceil(leaseDurationMs / 1_000),
    renewTime: now,
  };
}

function withLabels<L extends Lease>(lease: L, { labels }: LeaseClaim): L {
  return labels === undefined
    ? lease
    : {
        ...lease,
        metadata: { ...lease.metadata, labels: { ...lease.metadata?.labels, ...labels } },
      };
}
