/** A hash of 64 bits in two halves: numbers hold 53. */
export interface Hash64 {
  readonly high: number;
  readonly low: number;
}

const offsetHigh = 0xcbf29ce4;
const offsetLow = 0x84222325;
/** The prime is 2^40 + this. */
const primeLow = 0x1b3;

const encoder = new TextEncoder();

/** FNV-1a of 64 bits over the UTF-8 bytes of a text, by which servers sort objects into shards. */
export function fnv1a64(text: string): Hash64 {
  let high = offsetHigh;
  let low = offsetLow;
  for (const byte of encoder.encode(text)) {
    low = (low ^ byte) >>> 0;
    // Times 2^40 is a shift of the low half into the high one; times 0x1b3 stays below 2^41.
    const product = low * primeLow;
    high = (Math.imul(high, primeLow) + Math.floor(product / 0x1_0000_0000) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return { high, low };
}
