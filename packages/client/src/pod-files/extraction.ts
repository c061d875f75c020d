import { constants } from "node:fs";
import { lstat, open, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { KubeError } from "@typekube/core";
import type { CopyProgress, CopyResult, SkippedFile, SkipReason } from "./copy-result.js";
import { type KeptLink, keepLink } from "./kept-links.js";
import { writeLocalFile } from "./local-file.js";
import { LocalTree } from "./local-tree.js";
import { memberPlace } from "./member-path.js";
import type { TarEntry, TarMember } from "./tar/tar-entry.js";

/** No link is opened where a file was written; the flag is absent on Windows. */
const readOnly = constants.O_RDONLY | ((constants as Partial<typeof constants>).O_NOFOLLOW ?? 0);

/** Options of an extraction. */
export interface ExtractionOptions {
  /** Name that was archived, the first part of all members; empty for the contents of a directory. */
  readonly name: string;
  readonly keepsLinks: boolean;
  readonly keepPartial: boolean;
  /** Maximum bytes of all contents, those of copies of hard links included. */
  readonly maxBytes: number;
  readonly onProgress: ((progress: CopyProgress) => void) | undefined;
}

/** Place of a file. */
interface FilePlace {
  readonly directory: string;
  readonly name: string;
}

/**
 * Writes the members of an archive below a directory, or a single file to its place. The archive is not trusted: only
 * files and directories are created, and links on request, all of them below the directory.
 */
export class Extraction {
  readonly #local: string;
  readonly #options: ExtractionOptions;
  readonly #tree: LocalTree;
  readonly #links: KeptLink[] = [];
  readonly #skipped: SkippedFile[] = [];
  /** Files that were written, by their names without case. */
  readonly #written = new Map<string, FilePlace>();
  /** The same files, by their paths in the archive. */
  readonly #byPath = new Map<string, FilePlace>();
  #files = 0;
  #bytes = 0;

  /** @param local - path that the caller named. */
  constructor(local: string, options: ExtractionOptions) {
    this.#local = resolve(local);
    this.#options = options;
    this.#tree = new LocalTree(this.#local);
  }

  get result(): CopyResult {
    return { files: this.#files, bytes: this.#bytes, skipped: this.#skipped };
  }

  /** Writes a member, or notes why it was not. */
  async add({ entry, content }: TarMember): Promise<void> {
    const { parts, reason } = memberPlace(entry.name, this.#options.name);
    if (parts === undefined) {
      this.#skip(entry, entry.name, reason);
      return;
    }
    const file = parts.join("/");
    switch (entry.type) {
      case "file":
        await this.#write(entry, parts, content);
        break;
      case "directory":
        if ((await this.#tree.directory(parts, entry)) === undefined) {
          this.#skip(entry, file, "outside");
        }
        break;
      case "symlink":
        if (this.#options.keepsLinks && parts.length > 0) {
          this.#links.push({ parts, target: entry.linkName });
        } else {
          this.#skip(entry, file, "symlink");
        }
        break;
      case "hardLink":
        await this.#copyLinked(entry, parts);
        break;
      default:
        this.#skip(entry, file, "special");
    }
  }

  /** Creates links, then sets modes and times of directories. */
  async finish(): Promise<void> {
    for (const link of this.#links) {
      if (await keepLink(this.#tree, link)) {
        this.#files += 1;
      } else {
        this.#skipped.push({
          file: link.parts.join("/"),
          reason: "symlink",
          target: link.target,
        });
      }
    }
    await this.#tree.finish();
  }

  async #write(
    entry: TarEntry,
    parts: readonly string[],
    content: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const file = parts.join("/");
    const place = await this.#placeOf(parts);
    if (place === undefined) {
      this.#skip(entry, file, "outside");
      return;
    }
    const folded = join(place.directory, place.name).normalize("NFC").toLowerCase();
    const other = this.#written.get(folded);
    if (other !== undefined && (await isSameFile(other, place))) {
      this.#skip(entry, file, "case");
      return;
    }
    const { keepPartial } = this.#options;
    await writeLocalFile(
      { ...place, attributes: entry, keepPartial },
      this.#counted(file, entry, content),
    );
    this.#written.set(folded, place);
    this.#byPath.set(file, place);
    this.#files += 1;
  }

  /** Copies what a hard link leads to, if it is a file of the same archive. Tar also states followed links like this. */
  async #copyLinked(entry: TarEntry, parts: readonly string[]): Promise<void> {
    const target = memberPlace(entry.linkName, this.#options.name).parts;
    const source = target && this.#byPath.get(target.join("/"));
    if (source === undefined) {
      this.#skip(entry, parts.join("/"), "hardLink");
      return;
    }
    const { directory, name } = source;
    const original = await open(join(directory, name), readOnly);
    try {
      await this.#write(entry, parts, original.createReadStream({ autoClose: false }));
    } finally {
      await original.close();
    }
  }

  async #placeOf(parts: readonly string[]): Promise<FilePlace | undefined> {
    if (parts.length > 0) {
      const directory = await this.#tree.directory(parts.slice(0, -1));
      return directory === undefined ? undefined : { directory, name: parts.at(-1) ?? "" };
    }
    const { name } = this.#options;
    if (name === "") {
      return undefined;
    }
    if (await isDirectory(this.#local)) {
      return { directory: await this.#tree.root(), name };
    }
    // The caller named the file; its parents are created, as kubectl does.
    const directory = await new LocalTree(dirname(this.#local)).root();
    return { directory, name: basename(this.#local) };
  }

  async *#counted(
    file: string,
    { size }: TarEntry,
    content: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const { onProgress, maxBytes } = this.#options;
    for await (const chunk of content) {
      this.#bytes += chunk.byteLength;
      if (this.#bytes > maxBytes) {
        throw new KubeError("TooLarge", `the contents exceed ${maxBytes} bytes`, {
          hint: "raise maxBytes",
        });
      }
      yield chunk;
      onProgress?.({ file, bytes: this.#bytes });
    }
    if (size === 0) {
      onProgress?.({ file, bytes: this.#bytes });
    }
  }

  #skip({ linkName }: TarEntry, file: string, reason: SkipReason): void {
    const target = linkName === "" ? undefined : linkName;
    this.#skipped.push({ file, reason, ...(target === undefined ? {} : { target }) });
  }
}

/** Returns `true` for two names of one file: the file system does not distinguish them. */
async function isSameFile(one: FilePlace, other: FilePlace): Promise<boolean> {
  if (one.name === other.name && one.directory === other.directory) {
    return false;
  }
  const [first, second] = await Promise.all(
    [one, other].map(({ directory, name }) => lstat(join(directory, name)).catch(() => undefined)),
  );
  return (
    first !== undefined &&
    second !== undefined &&
    first.ino === second.ino &&
    first.dev === second.dev
  );
}

function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
