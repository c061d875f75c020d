import { KubeError } from "../errors/kube-error.js";
import type { Limits } from "../options/limits.js";
import { repairedText } from "./invalid-utf8.js";

const empty = new Uint8Array(0);

/** Joins chunks. Returns a single chunk without copying it. */
export function concatBytes(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length <= 1) {
    return chunks[0] ?? empty;
  }
  let length = 0;
  for (const chunk of chunks) {
    length += chunk.byteLength;
  }
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return joined;
}

/** A byte stream that can report that all of its bytes have arrived. */
export interface WholeBytes extends AsyncIterable<Uint8Array> {
  /** Returns all chunks of the stream at once, instead of iteration; `undefined` while more may arrive. */
  takeWhole(): readonly Uint8Array[] | undefined;
}

/** Number of chunks that are joined into one. A chunk costs a hundred bytes of memory, even if it holds a single byte. */
const manyChunks = 1024;

/**
 * Reads a stream to its end.
 *
 * @param maxBytes - checked before a chunk is kept.
 * @param limitName - the limit that a user can raise, for the error. Without it the limit is fixed.
 * @param what - name of the data, for the error.
 * @throws {KubeError} `TooLarge` above `maxBytes`.
 */
export async function collectBytes(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
  limitName: keyof Limits | undefined,
  what = "a body",
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let joined = 0;
  const keep = (chunk: Uint8Array): void => {
    length += chunk.byteLength;
    if (length > maxBytes) {
      throw tooLarge(what, maxBytes, limitName);
    }
    chunks.push(chunk);
    if (chunks.length - joined === manyChunks) {
      chunks.push(concatBytes(chunks.splice(joined)));
      joined += 1;
    }
  };
  // Most bodies have fully arrived before they are read.
  const whole = (source as Partial<WholeBytes>).takeWhole?.();
  if (whole) {
    whole.forEach(keep);
  } else {
    for await (const chunk of source) {
      keep(chunk);
    }
  }
  return concatBytes(chunks);
}

/** Reads a stream up to `maxBytes` and drops the rest; for bodies of which only the beginning matters. */
export async function collectPrefix(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    chunks.push(chunk.subarray(0, maxBytes - length));
    length += chunk.byteLength;
    if (length >= maxBytes) {
      break;
    }
  }
  return concatBytes(chunks);
}

/**
 * Returns the error for something larger than its limit.
 *
 * @param limitName - the limit that a user can raise. Without it the limit is fixed.
 */
export function tooLarge(
  what: string,
  limit: number,
  limitName: keyof Limits | undefined,
): KubeError {
  if (limitName === undefined) {
    return new KubeError("TooLarge", `${what} is larger than ${limit} bytes`);
  }
  return new KubeError("TooLarge", `${what} is larger than ${limitName} (${limit} bytes)`, {
    hint: `raise limits.${limitName} if you expect responses of this size`,
  });
}

/** Returns the error for values that nest deeper than `maxDepth`. */
export function tooDeep(what: string, maxDepth: number): KubeError {
  return new KubeError("TooLarge", `${what} nests deeper than maxDepth (${maxDepth})`, {
    hint: "raise limits.maxDepth if you expect objects this deep",
  });
}

/** Returns a Buffer over the same memory. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A buffer with Node's internal slice methods, which save looking the encoding up by name. */
export interface TextBuffer extends Buffer {
  latin1Slice(start: number, end: number): string;
  utf8Slice(start: number, end: number): string;
}

/** Decodes the text between two positions. Each invalid UTF-8 byte becomes one U+FFFD, as in Go. */
export function textBetween(buffer: Buffer, start: number, end: number): string {
  const text = (buffer as TextBuffer).utf8Slice(start, end);
  return text.includes("\ufffd") ? repairedText(buffer, start, end, text) : text;
}
