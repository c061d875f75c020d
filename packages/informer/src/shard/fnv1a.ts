/** A 64-bit hash in two halves, since numbers hold 53 bits. */
export interface Hash64 {
  readonly high: number;
  readonly low: number;
}

const offsetHigh = 0xcbf29ce4;
const offsetLow = 0x84222325;
/** Low part of the FNV prime, which is 2^40 + this. */
const primeLow = 0x1b3;

const encoder = new TextEncoder();

/** Returns the 64-bit FNV-1a hash of the UTF-8 bytes of a text. Servers assign objects to shards by it. */
export function fnv1a64(text: string): Hash64 {
  let high = offsetHigh;
  let low = offsetLow;
  for (const byte of encoder.encode(text)) {
    low = (low ^ byte) >>> 0;
    // Multiplying by 2^40 shifts the low half into the high one; multiplying by 0x1b3 stays below 2^41.
    const product = low * primeLow;
    high = (Math.imul(high, primeLow) + Math.floor(product / 0x1_0000_0000) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return { high, low };
}
