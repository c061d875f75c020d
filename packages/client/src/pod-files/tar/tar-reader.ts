import { KubeError } from "@typekube/core";
import { ByteReader } from "./byte-reader.js";
import { readPaxRecords, type TarOverrides } from "./pax-records.js";
import { blockBytes, type TarEntry, type TarMember } from "./tar-entry.js";
import { badArchive, cutArchive } from "./tar-error.js";
import { metadataFlags, readHeader, sparseFlag, type TarHeader, textOf } from "./tar-header.js";
import {
  maxMetadataBytes,
  maxMetadataHeaders,
  maxPaddingBytes,
  maxPathBytes,
  type TarLimits,
} from "./tar-limits.js";

/**
 * Yields the members of an archive. An archive is complete only with both blocks of zeros at its end; what follows them
 * is dropped.
 *
 * @param onEnd - called when the end of the archive was read.
 * @throws {KubeError} `Decode` for an archive that is invalid, cut off, or has files with holes; `TooLarge` above a limit.
 */
export async function* tarMembers(
  source: AsyncIterable<Uint8Array>,
  limits: TarLimits,
  onEnd: () => void = () => {},
): AsyncGenerator<TarMember, void, undefined> {
  const reader = new ByteReader(source);
  const counts = { files: 0, bytes: 0 };
  try {
    for (;;) {
      const entry = await nextEntry(reader);
      if (entry === undefined) {
        onEnd();
        await dropPadding(reader);
        return;
      }
      assertWithin(limits, counts, entry);
      const content = new Content(reader, entry);
      yield { entry, content: content.read() };
      await content.skip();
    }
  } finally {
    await reader.close();
  }
}

function assertWithin(
  { maxFiles, maxBytes }: TarLimits,
  counts: { files: number; bytes: number },
  { name, size }: TarEntry,
): void {
  counts.files += 1;
  counts.bytes += size;
  if (counts.files > maxFiles) {
    throw tooLarge(`the tar archive has more than ${maxFiles} members`, "raise maxFiles");
  }
  if (counts.bytes > maxBytes) {
    throw tooLarge(`the contents of the tar archive exceed ${maxBytes} bytes`, "raise maxBytes");
  }
  if (Buffer.byteLength(name) > maxPathBytes) {
    throw tooLarge(`a name in the tar archive exceeds ${maxPathBytes} bytes`);
  }
}

/** Reads a header and the metadata in front of it; `undefined` at the end of the archive. */
async function nextEntry(reader: ByteReader): Promise<TarEntry | undefined> {
  const overrides: TarOverrides = {};
  for (let count = 0; count <= maxMetadataHeaders; count++) {
    const header = await nextHeader(reader);
    if (header === undefined) {
      if (count > 0) {
        throw badArchive("its last extended header belongs to no member");
      }
      return undefined;
    }
    if (!(await readMetadata(reader, header, overrides))) {
      return complete(header, overrides);
    }
  }
  throw badArchive(`a member has more than ${maxMetadataHeaders} extended headers`);
}

async function nextHeader(reader: ByteReader): Promise<TarHeader | undefined> {
  const block = await wholeBlock(reader);
  if (!isZero(block)) {
    return readHeader(block);
  }
  if (!isZero(await wholeBlock(reader))) {
    throw badArchive("only one block of zeros is at its end");
  }
  return undefined;
}

async function wholeBlock(reader: ByteReader): Promise<Buffer> {
  const block = await reader.exactly(blockBytes);
  if (block.byteLength === 0) {
    throw cutArchive("without the two blocks of zeros");
  }
  if (block.byteLength < blockBytes) {
    throw cutArchive("within a header");
  }
  return block;
}

/** Reads a header that describes the next member. Returns `false` for the header of a member. */
async function readMetadata(
  reader: ByteReader,
  { flag, entry }: TarHeader,
  overrides: TarOverrides,
): Promise<boolean> {
  const { pax, globalPax, longName, longLink } = metadataFlags;
  if (flag !== pax && flag !== globalPax && flag !== longName && flag !== longLink) {
    return false;
  }
  if (entry.size > maxMetadataBytes) {
    throw tooLarge(`an extended header exceeds ${maxMetadataBytes} bytes`);
  }
  const bytes = await reader.exactly(padded(entry.size));
  if (bytes.byteLength < padded(entry.size)) {
    throw cutArchive("within an extended header");
  }
  const data = bytes.subarray(0, entry.size);
  if (flag === longName) {
    overrides.name = textOf(data);
  } else if (flag === longLink) {
    overrides.linkName = textOf(data);
  } else if (flag === pax) {
    Object.assign(overrides, readPaxRecords(data));
  } else if (Object.keys(readPaxRecords(data)).length > 0) {
    throw badArchive("a global header states the name or size of all members");
  }
  return true;
}

function complete({ flag, entry }: TarHeader, overrides: TarOverrides): TarEntry {
  if (flag === sparseFlag) {
    throw badArchive("files with holes are not supported: create it without --sparse");
  }
  const whole = { ...entry, ...overrides };
  // The form before POSIX has no type for directories. Only the whole name tells: a header may have the beginning of a
  // longer one, cut off behind a slash.
  const type = whole.type === "file" && whole.name.endsWith("/") ? "directory" : whole.type;
  // Links, directories and devices have no content, whatever their size states. (archive/tar of Go)
  return type === "file" || type === "other" ? whole : { ...whole, type, size: 0 };
}

/** Content of the current member. */
class Content {
  readonly #reader: ByteReader;
  readonly #name: string;
  readonly #padding: number;
  #left: number;

  constructor(reader: ByteReader, { name, size }: TarEntry) {
    this.#reader = reader;
    this.#name = name;
    this.#left = size;
    this.#padding = padded(size) - size;
  }

  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    while (this.#left > 0) {
      yield await this.#next();
    }
  }

  async skip(): Promise<void> {
    while (this.#left > 0) {
      await this.#next();
    }
    if ((await this.#reader.exactly(this.#padding)).byteLength < this.#padding) {
      throw cutArchive(`after the content of ${JSON.stringify(this.#name)}`);
    }
  }

  async #next(): Promise<Uint8Array> {
    const piece = await this.#reader.upTo(this.#left);
    if (piece.byteLength === 0) {
      throw cutArchive(`${this.#left} bytes before the end of ${JSON.stringify(this.#name)}`);
    }
    this.#left -= piece.byteLength;
    return piece;
  }
}

async function dropPadding(reader: ByteReader): Promise<void> {
  let left = maxPaddingBytes;
  for (;;) {
    const { byteLength } = await reader.upTo(left);
    left -= byteLength;
    if (byteLength === 0) {
      return;
    }
    if (left <= 0) {
      throw tooLarge(`more than ${maxPaddingBytes} bytes follow the end of the tar archive`);
    }
  }
}

/** Returns a size with the padding to the next block. */
export function padded(size: number): number {
  return Math.ceil(size / blockBytes) * blockBytes;
}

const zeros = Buffer.alloc(blockBytes);

function isZero(block: Buffer): boolean {
  return block.equals(zeros);
}

function tooLarge(message: string, hint?: string): KubeError {
  return new KubeError("TooLarge", message, { hint });
}
