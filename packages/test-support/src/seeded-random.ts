/** Returns a generator of numbers in [0, 1) that are the same in every run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Returns the bytes with a few changes: a bit flipped, a byte replaced, a piece removed or doubled, or the end cut off. */
export function mutate(bytes: Uint8Array, random: () => number): Uint8Array {
  let result = Buffer.from(bytes);
  const changes = 1 + Math.floor(random() * 3);
  for (let i = 0; i < changes && result.length > 0; i++) {
    const at = Math.floor(random() * result.length);
    const to = Math.min(result.length, at + 1 + Math.floor(random() * 8));
    switch (Math.floor(random() * 5)) {
      case 0:
        result[at] = (result[at] ?? 0) ^ (1 << Math.floor(random() * 8));
        break;
      case 1:
        result[at] = Math.floor(random() * 256);
        break;
      case 2:
        result = Buffer.concat([result.subarray(0, at), result.subarray(to)]);
        break;
      case 3:
        result = Buffer.concat([result.subarray(0, to), result.subarray(at)]);
        break;
      default:
        result = result.subarray(0, at);
    }
  }
  return result;
}
