/** Length of `2026-01-01T00:00:00`. */
export const secondLength = 19;

/** Longest time: nanoseconds and an offset. */
const longestTime = 35;

const [space, dash, letterT, colon, dot, zero, nine] = Buffer.from(" -T:.09") as unknown as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];

/**
 * Returns the index of the space after the time that a line begins with, `2026-01-01T00:00:00.123456789Z` with any
 * number of fractional digits and any offset; -1 when it begins with none.
 */
export function timeEnd(bytes: Buffer, start: number, end: number): number {
  if (
    end - start <= secondLength ||
    bytes[start + 4] !== dash ||
    bytes[start + 7] !== dash ||
    bytes[start + 10] !== letterT ||
    bytes[start + 13] !== colon ||
    bytes[start + 16] !== colon
  ) {
    return -1;
  }
  const last = Math.min(end, start + longestTime + 1);
  for (let at = start + secondLength; at < last; at++) {
    if (bytes[at] === space) {
      return at;
    }
  }
  return -1;
}

/** Returns the nanoseconds of the time at an index. */
export function nanosOf(bytes: Buffer, start: number): number {
  let nanos = 0;
  let at = start + secondLength;
  if (bytes[at] !== dot) {
    return 0;
  }
  let digits = 0;
  for (at++; digits < 9; at++, digits++) {
    const byte = bytes[at] ?? 0;
    if (byte < zero || byte > nine) {
      break;
    }
    nanos = nanos * 10 + byte - zero;
  }
  return nanos * 10 ** (9 - digits);
}

/** Returns where the offset of a time begins: the end of its digits. */
export function offsetStart(bytes: Buffer, start: number, end: number): number {
  let at = start + secondLength;
  if (bytes[at] === dot) {
    for (at++; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte < zero || byte > nine) {
        break;
      }
    }
  }
  return at;
}
