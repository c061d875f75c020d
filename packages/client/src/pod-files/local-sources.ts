import type { Stats } from "node:fs";
import { lstat, open, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { SkippedFile } from "./copy-result.js";
import { isErrno, localError } from "./local-error.js";
import { ReadAhead, readFlags } from "./read-ahead.js";
import type { TarEntry } from "./tar/tar-entry.js";
import type { TarSource } from "./tar/tar-writer.js";

/** Bytes that are read from a file at once. */
const chunkBytes = 256 * 1024;
/** Files of a directory whose attributes are read at the same time. */
const lstatsAtOnce = 64;
/** Bytes of a file that is read ahead of the others. */
const smallBytes = 64 * 1024;

/** Local files as members of an archive. */
export interface LocalSources {
  readonly sources: readonly TarSource[];
  readonly skipped: readonly SkippedFile[];
  /** Number of files and links. */
  readonly files: number;
  /** Bytes of all contents. */
  readonly bytes: number;
}

/** How local files become members. */
export interface SourceOptions {
  /** `true` adds directories that are not empty: their modes and times. */
  readonly hasDirectories: boolean;
  /** Called with each chunk that was read of a file. */
  readonly onChunk: (file: string, bytes: number) => void;
}

/**
 * Lists a file, or a directory with all below it, in the order of names. Links are members themselves, as in kubectl.
 *
 * @param name - name of the member; empty for the contents of a directory.
 * @throws {KubeError} `InvalidState` for a file that cannot be read.
 */
export async function localSources(
  path: string,
  name: string,
  options: SourceOptions,
): Promise<LocalSources> {
  const list = new SourceList(options);
  try {
    await list.add(path, name, "");
  } catch (error) {
    throw localError(error, `read ${JSON.stringify(path)}`);
  }
  return list;
}

class SourceList implements LocalSources {
  readonly sources: TarSource[] = [];
  readonly skipped: SkippedFile[] = [];
  files = 0;
  bytes = 0;
  readonly #options: SourceOptions;
  readonly #smallFiles = new ReadAhead();

  constructor(options: SourceOptions) {
    this.#options = options;
  }

  /** @param file - path below what is copied. */
  async add(path: string, name: string, file: string): Promise<void> {
    await this.#add(path, name, file, await lstat(path));
  }

  async #add(path: string, name: string, file: string, stats: Stats): Promise<void> {
    if (stats.isDirectory()) {
      await this.#addDirectory(path, name, file, stats);
    } else if (stats.isSymbolicLink()) {
      this.files += 1;
      const linkName = await readlink(path);
      this.sources.push({ entry: entryOf(name, stats, { type: "symlink", linkName }) });
    } else if (stats.isFile()) {
      this.files += 1;
      this.bytes += stats.size;
      const entry = entryOf(name, stats, { type: "file", size: stats.size });
      const read =
        stats.size <= smallBytes
          ? this.#readSmall(path, file, stats.size)
          : () => this.#read(path, file, stats.size);
      this.sources.push({ entry, read });
    } else {
      this.skipped.push({ file, reason: "special" });
    }
  }

  async #addDirectory(path: string, name: string, file: string, stats: Stats): Promise<void> {
    const names = await this.#namesIn(path, file);
    if (name !== "" && (names.length === 0 || this.#options.hasDirectories)) {
      this.sources.push({ entry: entryOf(`${name}/`, stats, { type: "directory" }) });
    }
    for (let at = 0; at < names.length; at += lstatsAtOnce) {
      const children = names.slice(at, at + lstatsAtOnce);
      const found = await Promise.all(children.map((child) => lstat(join(path, child))));
      for (const [index, child] of children.entries()) {
        const childStats = found[index] as Stats;
        await this.#add(join(path, child), below(name, child), below(file, child), childStats);
      }
    }
  }

  /** Lists a directory, without the names that are not UTF-8: as texts they are names that no file has. */
  async #namesIn(path: string, file: string): Promise<string[]> {
    const names: string[] = [];
    for (const name of await readdir(path)) {
      if (name.includes("\ufffd") && (await isMissing(join(path, name)))) {
        this.skipped.push({ file: below(file, name), reason: "name" });
      } else {
        names.push(name);
      }
    }
    return names.sort();
  }

  /** Reads at most the size that the header states: a file that grows is copied as it was. */
  async *#read(
    path: string,
    file: string,
    size: number,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const { onChunk } = this.#options;
    const handle = await open(path, readFlags);
    try {
      for (let left = size; left > 0; ) {
        const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, left));
        const { bytesRead } = await handle.read(chunk);
        if (bytesRead === 0) {
          return;
        }
        left -= bytesRead;
        yield chunk.subarray(0, bytesRead);
        onChunk(file, bytesRead);
      }
    } finally {
      await handle.close();
    }
  }

  #readSmall(path: string, file: string, size: number) {
    const { onChunk } = this.#options;
    const smallFiles = this.#smallFiles;
    const number = smallFiles.add(path, size);
    return async function* (): AsyncGenerator<Uint8Array, void, undefined> {
      const bytes = await smallFiles.take(number);
      if (bytes.byteLength > 0) {
        yield bytes;
      }
      onChunk(file, bytes.byteLength);
    };
  }
}

function isMissing(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    (error: unknown) => isErrno(error, "ENOENT"),
  );
}

function below(path: string, name: string): string {
  return path === "" ? name : `${path}/${name}`;
}

function entryOf(
  name: string,
  { mode, uid, gid, mtimeMs }: Stats,
  facts: Pick<TarEntry, "type"> & Partial<TarEntry>,
): TarEntry {
  return {
    name,
    mode: mode & 0o7777,
    uid,
    gid,
    modifiedMs: mtimeMs,
    size: 0,
    linkName: "",
    ...facts,
  };
}
