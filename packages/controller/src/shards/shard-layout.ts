import type { Lease } from "@typekube/api/coordination/v1";

/** Field that divides the objects into shards. */
export type ShardField = "namespace" | "uid";

/** Division of the objects into shards. Replicas with different layouts never work at the same time. */
export interface ShardLayout {
  /** Number of shards. */
  readonly count: number;
  readonly by: ShardField;
}

/** Label of all Leases of one sharding, with its name. */
export const shardingLabel = "typekube.dev/sharding";
/** Label of a Lease with the layout of its writer. */
const layoutLabel = "typekube.dev/shard-layout";
/** Annotation of the layout Lease: the largest number of shards that was ever in use. */
const largestAnnotation = "typekube.dev/largest-shard-count";

/** Returns the text of a layout, as labels have it: `12-uid`. */
export function layoutText({ count, by }: ShardLayout): string {
  return `${count}-${by}`;
}

/** Returns the text of the layout that a Lease was written for; "" for none. */
export function layoutOf(lease: Lease | undefined): string {
  return lease?.metadata?.labels?.[layoutLabel] ?? "";
}

/** Returns the labels of the Leases of a sharding. */
export function labelsOf(name: string, layout: ShardLayout): Readonly<Record<string, string>> {
  return { [shardingLabel]: name, [layoutLabel]: layoutText(layout) };
}

/** Returns the largest number of shards that a layout Lease knows of. */
export function largestCount(lease: Lease | undefined): number {
  const largest = Number(lease?.metadata?.annotations?.[largestAnnotation]);
  return Number.isInteger(largest) ? largest : 0;
}

/** Returns a layout Lease, new or existing, that names another layout. */
export function layoutLease<L extends Lease>(lease: L, name: string, layout: ShardLayout): L {
  const largest = String(Math.max(largestCount(lease), layout.count));
  const { metadata } = lease;
  return {
    ...lease,
    metadata: {
      ...metadata,
      labels: { ...metadata?.labels, ...labelsOf(name, layout) },
      annotations: { ...metadata?.annotations, [largestAnnotation]: largest },
    },
  };
}

/** Returns the Lease of a shard without a holder, which replicas with this layout may take. */
export function freeShardLease<L extends Lease>(lease: L, name: string, layout: ShardLayout): L {
  const { metadata } = lease;
  return {
    ...lease,
    metadata: { ...metadata, labels: { ...metadata?.labels, ...labelsOf(name, layout) } },
    spec: { ...lease.spec, holderIdentity: "", leaseDurationSeconds: 1 },
  };
}

/** Names of the Leases of a sharding. */
export interface LeaseNames {
  /** Names the layout in use; no replica holds it. */
  readonly layout: string;
  member(identity: string): string;
  shard(index: number): string;
  /** Returns the replica whose membership a name stands for; `undefined` for another Lease. */
  memberOf(leaseName: string): string | undefined;
}

/** Returns the names of the Leases of a sharding. */
export function leaseNames(name: string): LeaseNames {
  const prefix = `${name}-member-`;
  return {
    layout: `${name}-shards`,
    member: (identity) => prefix + identity,
    shard: (index) => `${name}-shard-${index}`,
    memberOf: (one) => (one.startsWith(prefix) ? one.slice(prefix.length) : undefined),
  };
}
