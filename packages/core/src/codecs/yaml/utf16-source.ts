import { TextDecoder } from "node:util";
import { asBuffer, concatBytes } from "../../bytes/bytes.js";
import type { ManifestSource } from "../../manifests/manifest.js";

/**
 * Yields the bytes of a source as UTF-8. Decodes a stream that begins with the byte order mark of UTF-16, which some
 * editors on Windows write, as kubectl does. Any other stream passes unchanged.
 */
export async function* asUtf8(source: ManifestSource): AsyncIterable<Uint8Array> {
  let decoder: TextDecoder | undefined;
  /** Bytes read so far, while there are fewer than two; then `undefined`. */
  let first: Uint8Array | undefined = new Uint8Array(0);
  for await (const chunk of typeof source === "string" ? [source] : source) {
    let bytes: Uint8Array = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    if (first !== undefined) {
      bytes = first.byteLength > 0 ? concatBytes([first, bytes]) : bytes;
      first = bytes.byteLength < 2 ? bytes : undefined;
      if (first !== undefined) {
        continue;
      }
      const encoding = encodings[asBuffer(bytes).toString("hex", 0, 2)];
      decoder = encoding === undefined ? undefined : new TextDecoder(encoding);
    }
    yield decoder === undefined ? bytes : Buffer.from(decoder.decode(bytes, { stream: true }));
  }
  if (first !== undefined && first.byteLength > 0) {
    yield first;
  }
  if (decoder !== undefined) {
    yield Buffer.from(decoder.decode());
  }
}

/** Encodings by their byte order marks. */
const encodings: Readonly<Record<string, string | undefined>> = {
  fffe: "utf-16le",
  feff: "utf-16be",
};
