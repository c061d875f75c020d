/** The replicas of a sharding and what they hold. */
export interface Holdings {
  /** Number of shards. */
  readonly count: number;
  /** Identities of the replicas that may hold shards. */
  readonly members: readonly string[];
  /** Returns the replica that holds a shard; `undefined` for a free one. */
  holderOf(shard: number): string | undefined;
}

/**
 * Assigns each shard to a replica: everyone gets its fair share, rounded down or up, and only as many shards move as
 * that needs. Replicas with the same view compute the same result.
 *
 * @returns the assigned replica of each shard; `undefined` without replicas.
 */
export function assignShards({ count, members, holderOf }: Holdings): (string | undefined)[] {
  const held = new Map<string, number[]>([...members].sort().map((member) => [member, []]));
  const assigned: (string | undefined)[] = Array.from({ length: count }, () => undefined);
  if (held.size === 0) {
    return assigned;
  }
  for (let shard = 0; shard < count; shard += 1) {
    held.get(holderOf(shard) ?? "")?.push(shard);
  }
  const open = new Map<string, number>();
  const byHeld = [...held].sort(([, a], [, b]) => b.length - a.length);
  for (const [at, [member, shards]] of byHeld.entries()) {
    // The larger shares go to those that hold the most: nothing has to move for them.
    const share = Math.floor(count / held.size) + (at < count % held.size ? 1 : 0);
    for (const shard of shards.slice(0, share)) {
      assigned[shard] = member;
    }
    open.set(member, share - Math.min(share, shards.length));
  }
  for (let shard = 0; shard < count; shard += 1) {
    if (assigned[shard] === undefined) {
      const [heir, left] = largest(open);
      assigned[shard] = heir;
      open.set(heir, left - 1);
    }
  }
  return assigned;
}

/** Returns the entry with the largest number, of several the first. */
function largest(open: ReadonlyMap<string, number>): [string, number] {
  let found: [string, number] = ["", 0];
  for (const [member, left] of open) {
    if (left > found[1]) {
      found = [member, left];
    }
  }
  return found;
}
