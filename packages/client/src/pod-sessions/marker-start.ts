/**
 * Returns the index at which a marker begins, or could: the end of the bytes may be its start. The length of the bytes
 * when there is neither.
 */
export function markerStart(bytes: Buffer, marker: Buffer): number {
  const whole = bytes.indexOf(marker);
  if (whole >= 0) {
    return whole;
  }
  const first = Math.max(0, bytes.byteLength - marker.byteLength + 1);
  for (let at = first; at < bytes.byteLength; at++) {
    if (marker.subarray(0, bytes.byteLength - at).equals(bytes.subarray(at))) {
      return at;
    }
  }
  return bytes.byteLength;
}
