/**
 * Copies bytes and applies a masking key to them, four at a time. The same operation masks and unmasks. (RFC 6455 §5.3)
 *
 * @param from - bytes to read; may be the same memory as `to`.
 * @param phase - index of the first byte within its frame's payload.
 */
export function copyMasked(
  from: Uint8Array,
  to: Uint8Array,
  at: number,
  key: Uint8Array,
  phase = 0,
): void {
  const { byteLength: length } = from;
  const source = new DataView(from.buffer, from.byteOffset, length);
  const target = new DataView(to.buffer, to.byteOffset + at, length);
  const keyAt = (index: number) => key[(phase + index) & 3] as number;
  const word = keyAt(0) | (keyAt(1) << 8) | (keyAt(2) << 16) | (keyAt(3) << 24);
  const wholeWords = length & ~3;
  for (let index = 0; index < wholeWords; index += 4) {
    target.setInt32(index, source.getInt32(index, true) ^ word, true);
  }
  for (let index = wholeWords; index < length; index++) {
    target.setUint8(index, source.getUint8(index) ^ keyAt(index));
  }
}
