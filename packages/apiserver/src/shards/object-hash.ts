/** A number of 64 bits in two halves, the greater first: the numbers of the language hold 53. */
export type Hash = readonly [high: number, low: number];

/** The prime of FNV-1a in 64 bits is 2^40 + this. */
const primeLow = 0x1b3;
const twoTo32 = 0x1_0000_0000;

const encoder = new TextEncoder();

/** FNV-1a of 64 bits over the UTF-8 of a text: by this servers divide objects into shards. */
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

/** Whether one hash comes before another. */
export function isBelow([high, low]: Hash, [otherHigh, otherLow]: Hash): boolean {
  return high < otherHigh || (high === otherHigh && low < otherLow);
}
