import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { assertOptions, type OptionTable } from "@typekube/core/internal";
import { fnv1a64, type Hash64 } from "./fnv1a.js";

/** One of several shards of a collection. Each worker follows another one, and together they follow all objects. */
export interface Shard {
  /** Index of the shard, from 0 to `count` - 1. */
  readonly index: number;
  /** Number of shards. */
  readonly count: number;
  /**
   * Field that divides the objects. Default `uid`, which distributes evenly; `namespace` keeps the objects of a
   * namespace together.
   */
  readonly by?: "namespace" | "uid" | undefined;
}

/**
 * Range of the hashes of a shard, from `start` to before `end`. (KEP-5866: a server hashes the uid or the namespace
 * with 64-bit FNV-1a and compares with `0x` and 16 digits; the end of the last shard is 2^64, with 17.)
 */
interface HashRange {
  readonly start: Hash64;
  readonly end: Hash64;
}

const hashes = 1n << 64n;

const shardOptions: OptionTable<Shard> = { by: true, count: true, index: true };

/** @throws {KubeError} `InvalidArgument` for an invalid shard. */
export function assertShard(shard: Shard): void {
  assertOptions("a shard", shard, shardOptions);
  const { index, count, by = "uid" } = shard;
  const belongsToShard =
    Number.isInteger(index) && Number.isInteger(count) && index >= 0 && index < count;
  if (!belongsToShard || (by !== "uid" && by !== "namespace")) {
    throw new KubeError(
      "InvalidArgument",
      `invalid shard: index ${index}, count ${count}, by ${by}`,
      {
        hint: "index must be between 0 and count - 1",
      },
    );
  }
}

function bounds({ index, count }: Shard): readonly [start: bigint, end: bigint] {
  // All workers divide alike: each shard ends where the next one begins.
  return [(BigInt(index) * hashes) / BigInt(count), (BigInt(index + 1) * hashes) / BigInt(count)];
}

/** Returns the `shardSelector` that requests a shard from a server (1.36, gate ShardedListAndWatch). */
export function shardSelector(shard: Shard): string {
  assertShard(shard);
  const [start, end] = bounds(shard).map((bound) => `0x${bound.toString(16).padStart(16, "0")}`);
  return `shardRange(object.metadata.${shard.by ?? "uid"}, '${start}', '${end}')`;
}

/**
 * Returns a filter for the objects of a shard, by the server's rules (measured with 1.37.1). An object without the
 * field has the hash of "".
 */
export function shardFilter(shard: Shard): (object: KubeObject) => boolean {
  assertShard(shard);
  const [start, end] = bounds(shard).map(halves) as [Hash64, Hash64];
  const range: HashRange = { start, end };
  const { by = "uid" } = shard;
  return ({ metadata }) => isWithin(fnv1a64(metadata?.[by] ?? ""), range);
}

function halves(value: bigint): Hash64 {
  return { high: Number(value >> 32n), low: Number(value & 0xffff_ffffn) };
}

function isWithin(hash: Hash64, { start, end }: HashRange): boolean {
  return !isBefore(hash, start) && isBefore(hash, end);
}

function isBefore(a: Hash64, b: Hash64): boolean {
  return a.high < b.high || (a.high === b.high && a.low < b.low);
}
