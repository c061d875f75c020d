const padding = "=".charCodeAt(0);

/**
 * Reads a text of format `byte`: base64 with padding in the alphabet of URLs, which Kubernetes reads, although JSON has
 * the other one. Line breaks do not count.
 *
 * @returns The position of the first wrong byte for any other text, as Go's `encoding/base64` counts it.
 */
export function readByteFormat(text: string): Uint8Array | { readonly wrongAt: number } {
  const joined = text.replace(/[\n\r]/g, "");
  return joined.length % 4 === 0 && /^[\w-]*={0,2}$/.test(joined)
    ? new Uint8Array(Buffer.from(joined, "base64url"))
    : { wrongAt: wrongPlace(new TextEncoder().encode(text)) };
}

function wrongPlace(source: Uint8Array): number {
  // The positions of what counts.
  const places = [...source.keys()].filter((at) => source[at] !== 10 && source[at] !== 13);
  for (let start = 0; start < places.length; start += 4) {
    let count = 0;
    while (count < 4 && isDigit(source[places[start + count] ?? -1])) {
      count += 1;
    }
    if (count < 4) {
      return wrongPlaceOfGroup(source, places, start, count);
    }
  }
  return source.length;
}

/** Returns where a group of four is wrong that begins with less than four digits, or what follows its padding. */
function wrongPlaceOfGroup(
  source: Uint8Array,
  places: readonly number[],
  start: number,
  count: number,
): number {
  const [first, second] = [places[start + count], places[start + count + 1]];
  if (first === undefined) {
    return source.length - count;
  }
  if (source[first] !== padding || count < 2) {
    return first;
  }
  if (count === 2 && second === undefined) {
    return source.length;
  }
  if (count === 2 && second !== undefined && source[second] !== padding) {
    return second - 1;
  }
  return places[start + 4] ?? source.length;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && /[\w-]/.test(String.fromCharCode(byte));
}
