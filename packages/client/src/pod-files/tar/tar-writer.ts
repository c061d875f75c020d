import { KubeError } from "@typekube/core";
import { blockBytes, type TarEntry } from "./tar-entry.js";
import { headerOf, longNameHeader, maxShortNameBytes } from "./tar-header.js";
import { padded } from "./tar-reader.js";

/** Bytes of a record: the end of an archive is filled up to a whole one. (GNU tar's default) */
const recordBytes = 20 * blockBytes;

/** A member to write. */
export interface TarSource {
  readonly entry: TarEntry;
  /** Returns the content, of exactly the entry's size. Without it the entry must have the size 0. */
  readonly read?: (() => AsyncIterable<Uint8Array>) | undefined;
}

/**
 * Yields the bytes of an archive.
 *
 * @throws {KubeError} `InvalidState` when a content does not have its size.
 */
export async function* tarArchive(
  sources: readonly TarSource[],
): AsyncGenerator<Uint8Array, void, undefined> {
  for (const { entry, read } of sources) {
    yield headersOf(entry);
    if (read !== undefined) {
      yield* ofSize(read(), entry);
      yield Buffer.alloc(padded(entry.size) - entry.size);
    }
  }
  const contents = contentBytes(sources);
  yield Buffer.alloc(archiveBytes(sources) - contents);
}

/** Returns the number of bytes that {@link tarArchive} yields. */
export function archiveBytes(sources: readonly TarSource[]): number {
  const bytes = contentBytes(sources) + 2 * blockBytes;
  return Math.ceil(bytes / recordBytes) * recordBytes;
}

function contentBytes(sources: readonly TarSource[]): number {
  return sources.reduce(
    (sum, { entry }) =>
      sum +
      blockBytes +
      longNameBytes(entry.name) +
      longNameBytes(entry.linkName) +
      padded(entry.size),
    0,
  );
}

function longNameBytes(name: string): number {
  const bytes = Buffer.byteLength(name);
  return bytes > maxShortNameBytes ? blockBytes + padded(bytes + 1) : 0;
}

function headersOf(entry: TarEntry): Buffer {
  return Buffer.concat([longName("K", entry.linkName), longName("L", entry.name), headerOf(entry)]);
}

function longName(flag: "K" | "L", name: string): Buffer {
  const bytes = Buffer.byteLength(name);
  if (bytes <= maxShortNameBytes) {
    return Buffer.alloc(0);
  }
  const content = Buffer.alloc(padded(bytes + 1));
  content.write(name);
  return Buffer.concat([longNameHeader(flag, bytes + 1), content]);
}

async function* ofSize(
  content: AsyncIterable<Uint8Array>,
  { name, size }: TarEntry,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = size;
  for await (const chunk of content) {
    left -= chunk.byteLength;
    if (left < 0) {
      break;
    }
    yield chunk;
  }
  if (left !== 0) {
    throw new KubeError(
      "InvalidState",
      `${JSON.stringify(name)} changed its size while it was copied`,
    );
  }
}
