/** A 64-bit number as two 32-bit halves, since JavaScript numbers hold only 53 bits. */
export type Hash = readonly [high: number, low: number];

/** Low part of the 64-bit FNV-1a prime, which is 2^40 plus this. */
const primeLow = 0x1b3;
const twoTo32 = 0x1_0000_0000;

const encoder = new TextEncoder();

/** Returns the 64-bit FNV-1a hash of a text's UTF-8 bytes, by which servers assign objects to shards. */
export function objectHash(text: string): Hash {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const byte of encoder.encode(text)) {
    low = (low ^ byte) >>> 0;
    const product = low * primeLow;
    const carried = Math.floor(product / twoTo32);
    high = (Math.imul(high, primeLow) + carried + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return [high, low];
}

/** Returns whether one hash is less than another. */
export function isBelow([high, low]: Hash, [otherHigh, otherLow]: Hash): boolean {
  return high < otherHigh || (high === otherHigh && low < otherLow);
}
