import { fnv1a64, type Hash64 } from "./fnv1a.js";

const hashes = 1n << 64n;

/**
 * Returns the first hash of a shard; that of the index `count` is 2^64. All workers divide alike: each shard ends where
 * the next one begins.
 */
export function startOfShard(index: number, count: number): bigint {
  return (BigInt(index) * hashes) / BigInt(count);
}

/**
 * Returns a function from the value that is hashed, a uid or a namespace, to the index of its shard. (KEP-5866: 64-bit
 * FNV-1a, divided into ranges)
 */
export function shardIndexOf(count: number): (value: string) => number {
  const starts = Array.from({ length: count }, (_, index) => halves(startOfShard(index, count)));
  return (value) => {
    const hash = fnv1a64(value);
    // The high half alone finds the shard, or the neighbour of one whose start has the same high half.
    let index = Math.floor((hash.high / 0x1_0000_0000) * count);
    while (isBefore(hash, starts[index] as Hash64)) {
      index -= 1;
    }
    while (index + 1 < count && !isBefore(hash, starts[index + 1] as Hash64)) {
      index += 1;
    }
    return index;
  };
}

function halves(value: bigint): Hash64 {
  return { high: Number(value >> 32n), low: Number(value & 0xffff_ffffn) };
}

function isBefore(a: Hash64, b: Hash64): boolean {
  return a.high < b.high || (a.high === b.high && a.low < b.low);
}
