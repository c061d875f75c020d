import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { assertOptions, type OptionTable } from "@typekube/core/internal";
import { shardIndexOf, startOfShard } from "./shard-index.js";

/** One or more of the shards of a collection. Each worker follows others, and together they follow all objects. */
export interface Shard {
  /**
   * Index of the shard, from 0 to `count` - 1, or the indexes of several. An empty list selects nothing: a worker that
   * waits for its shards.
   */
  readonly index: number | readonly number[];
  /** Number of shards. */
  readonly count: number;
  /**
   * Field that divides the objects. Default `uid`, which distributes evenly; `namespace` keeps the objects of a
   * namespace together.
   */
  readonly by?: "namespace" | "uid" | undefined;
}

const shardOptions: OptionTable<Shard> = { by: true, count: true, index: true };

/** @throws {KubeError} `InvalidArgument` for an invalid shard. */
export function assertShard(shard: Shard): void {
  assertOptions("a shard", shard, shardOptions);
  const { index, count, by = "uid" } = shard;
  const belongsToShard =
    Number.isInteger(count) &&
    [index].flat().every((one) => Number.isInteger(one) && one >= 0 && one < count);
  if (!belongsToShard || (by !== "uid" && by !== "namespace")) {
    throw new KubeError(
      "InvalidArgument",
      `invalid shard: index ${[index].flat().join(" ")}, count ${count}, by ${by}`,
      {
        hint: "index must be between 0 and count - 1",
      },
    );
  }
}

/** Returns the indexes of a shard in ascending order, each once. */
export function indexesOf({ index }: Shard): number[] {
  return [...new Set([index].flat())].sort((a, b) => a - b);
}

/** Returns a copy, so that changing the original has no effect. */
export function copyOf(shard: Shard): Shard {
  return { ...shard, index: typeof shard.index === "number" ? shard.index : [...shard.index] };
}

/**
 * Returns the `shardSelector` that requests a shard from a server (1.36, gate ShardedListAndWatch). Each range of hashes
 * goes from its start to before its end: a server hashes the uid or the namespace with 64-bit FNV-1a and compares with
 * `0x` and 16 digits; the end of the last shard is 2^64, with 17. (KEP-5866)
 */
export function shardSelector(shard: Shard): string {
  assertShard(shard);
  const field = `object.metadata.${shard.by ?? "uid"}`;
  return rangesOf(shard)
    .map((range) => range.map((bound) => `'0x${bound.toString(16).padStart(16, "0")}'`))
    .map(([start, end]) => `shardRange(${field}, ${start}, ${end})`)
    .join(" || ");
}

/** Returns the ranges of the hashes, neighbours joined. */
function rangesOf(shard: Shard): (readonly [start: bigint, end: bigint])[] {
  const ranges: [start: bigint, end: bigint][] = [];
  for (const index of indexesOf(shard)) {
    const start = startOfShard(index, shard.count);
    const end = startOfShard(index + 1, shard.count);
    const last = ranges.at(-1);
    if (last?.[1] === start) {
      last[1] = end;
    } else {
      ranges.push([start, end]);
    }
  }
  // A selector has at least one range, which is not empty: one of a single hash, whose objects the filter drops.
  return ranges.length === 0 ? [[0n, 1n]] : ranges;
}

/**
 * Returns a filter for the objects of a shard, by the server's rules (measured with 1.37.1). An object without the
 * field has the hash of "".
 */
export function shardFilter(shard: Shard): (object: KubeObject) => boolean {
  assertShard(shard);
  const indexes = new Set(indexesOf(shard));
  const indexOf = shardIndexOf(shard.count);
  const { by = "uid" } = shard;
  return ({ metadata }) => indexes.has(indexOf(metadata?.[by] ?? ""));
}
