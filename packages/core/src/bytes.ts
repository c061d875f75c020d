import { repairedText } from "./invalid-utf8.js";
import { KubeError } from "./kube-error.js";

const empty = new Uint8Array(0);

/** Joins chunks without copying when there is only one. */
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

/** A stream of bytes that can tell when all of it has come. */
export interface WholeBytes extends AsyncIterable<Uint8Array> {
  /** Everything that the stream would yield, in place of reading it; `undefined` while more may come. */
  takeWhole(): readonly Uint8Array[] | undefined;
}

/** So many chunks become one: each takes a hundred bytes beside its own, and may have a single one. */
const manyChunks = 1024;

/**
 * Reads a stream to its end.
 *
 * @param maxBytes - checked before a chunk is kept.
 * @param limitName - named in the error.
 * @throws {KubeError} `TooLarge`.
 */
export async function collectBytes(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
  limitName: string,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let joined = 0;
  const keep = (chunk: Uint8Array): void => {
    length += chunk.byteLength;
    if (length > maxBytes) {
      throw tooLarge("a body", maxBytes, limitName);
    }
    chunks.push(chunk);
    if (chunks.length - joined === manyChunks) {
      chunks.push(concatBytes(chunks.splice(joined)));
      joined += 1;
    }
  };
  // Most bodies are there before anyone reads them.
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

/** The error for something that is larger than its limit. */
export function tooLarge(what: string, limit: number, limitName: string): KubeError {
  return new KubeError("TooLarge", `${what} is larger than ${limitName} (${limit} bytes)`, {
    hint: `raise limits.${limitName} if you expect responses of this size`,
  });
}

/** The error for values that nest deeper than `maxDepth`. */
export function tooDeep(what: string, maxDepth: number): KubeError {
  return new KubeError("TooLarge", `${what} nests deeper than maxDepth (${maxDepth})`, {
    hint: "raise limits.maxDepth if you expect objects this deep",
  });
}

/** A view of the same memory with Buffer's methods. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A buffer with Node's own slices, which spare the lookup of an encoding by its name. */
export interface TextBuffer extends Buffer {
  latin1Slice(start: number, end: number): string;
  utf8Slice(start: number, end: number): string;
}

/** The text between two positions. Each byte that is not UTF-8 becomes one U+FFFD, as in Go. */
export function textBetween(buffer: Buffer, start: number, end: number): string {
  const text = (buffer as TextBuffer).utf8Slice(start, end);
  return text.includes("\ufffd") ? repairedText(buffer, start, end, text) : text;
}
