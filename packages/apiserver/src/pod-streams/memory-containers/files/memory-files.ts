import { FileError } from "./file-error.js";
import { defaultMemoryLimits, type MemoryLimits } from "./memory-limits.js";

/** Links that are followed on the way to one file. (Linux: 40) */
const maxLinks = 40;
/** Bytes of one name. (Linux: NAME_MAX) */
const maxNameBytes = 255;
/** Bytes of a path. (Linux: PATH_MAX) */
const maxPathBytes = 4096;

interface NodeFacts {
  /** Permission bits. */
  readonly mode: number;
  /** Time of the last change in milliseconds since the epoch. */
  readonly modifiedMs: number;
}

/** A directory. */
export interface MemoryDirectory extends NodeFacts {
  readonly type: "directory";
  /** Nodes in it, by name. */
  readonly entries: Map<string, MemoryNode>;
}

/** A file. */
export interface MemoryFile extends NodeFacts {
  readonly type: "file";
  readonly content: Uint8Array;
}

/** A symbolic link. */
export interface MemoryLink extends NodeFacts {
  readonly type: "symlink";
  readonly target: string;
}

export type MemoryNode = MemoryDirectory | MemoryFile | MemoryLink;

/** Options of a look-up. */
export interface FindOptions {
  /** `false` finds a link itself, where it is the last part of the path. Default true. */
  readonly follows?: boolean;
}

/** Result of following a path. */
interface Place {
  readonly directory: MemoryDirectory;
  /** Name in the directory; empty for a path that ends with a directory itself: `/`, `..`. */
  readonly name: string;
  readonly node: MemoryNode | undefined;
}

/** The files of one container. Paths are absolute, or relative to its working directory. */
export class MemoryFiles {
  readonly #root: MemoryDirectory;
  readonly #workingDirectory: string;
  readonly #limits: MemoryLimits;
  readonly #now: () => number;
  #count = 0;
  #bytes = 0;

  /** @param now - milliseconds since the epoch, for the times of files. */
  constructor(workingDirectory: string, now: () => number, limits: MemoryLimits = {}) {
    this.#workingDirectory = workingDirectory;
    this.#limits = limits;
    this.#now = now;
    this.#root = directoryOf(0o755, now());
    this.makeDirectory(workingDirectory, { parents: true });
  }

  /** Returns what a path names, after following links; `undefined` when there is nothing. */
  find(path: string, { follows = true }: FindOptions = {}): MemoryNode | undefined {
    try {
      return this.#locate(path, follows).node;
    } catch {
      return undefined;
    }
  }

  /** @throws {FileError} where a path names nothing. */
  get(path: string, { follows = true }: FindOptions = {}): MemoryNode {
    const { node } = this.#locate(path, follows);
    if (node === undefined) {
      throw new FileError("ENOENT");
    }
    return node;
  }

  /** @throws {FileError} for a path that is not a file. */
  read(path: string): Uint8Array {
    const node = this.get(path);
    if (node.type !== "file") {
      throw new FileError("EISDIR");
    }
    return node.content;
  }

  /** @throws {FileError} when that many bytes have no room. */
  assertRoom(bytes: number): void {
    const { maxBytes = defaultMemoryLimits.maxBytes } = this.#limits;
    if (this.#bytes + bytes > maxBytes) {
      throw new FileError("ENOSPC");
    }
  }

  /**
   * Creates or replaces a file. A link that has its name is replaced, not followed.
   *
   * @throws {FileError} for a missing directory, a directory in its place, or above a limit.
   */
  write(path: string, content: Uint8Array, facts: Partial<NodeFacts> = {}): void {
    const place = this.#locate(path, false);
    const { directory, name, node } = place;
    if (node?.type === "directory" || name === "") {
      throw new FileError("EISDIR");
    }
    this.assertRoom(content.byteLength - sizeOf(node));
    const { mode = 0o644, modifiedMs = this.#now() } = facts;
    this.#put(directory, name, { type: "file", mode, modifiedMs, content });
  }

  /** @throws {FileError} when something is there, other than a directory with `parents`. */
  makeDirectory(
    path: string,
    options: Partial<NodeFacts> & { readonly parents?: boolean } = {},
  ): void {
    const { mode = 0o755, modifiedMs = this.#now(), parents = false } = options;
    if (parents) {
      const parent = this.#parentOf(path);
      if (parent !== undefined && this.find(parent) === undefined) {
        this.makeDirectory(parent, { parents });
      }
    }
    const { directory, name, node } = this.#locate(path, true);
    if (node === undefined) {
      this.#put(directory, name, directoryOf(mode, modifiedMs));
    } else if (!parents || node.type !== "directory") {
      throw new FileError("EEXIST");
    }
  }

  /** Creates a symbolic link; one that is there is replaced. */
  link(path: string, target: string, modifiedMs: number = this.#now()): void {
    const { directory, name, node } = this.#locate(path, false);
    if (node?.type === "directory" || name === "") {
      throw new FileError("EEXIST");
    }
    this.#put(directory, name, { type: "symlink", mode: 0o777, modifiedMs, target });
  }

  /** Gives a file or directory another name, in place of a file that has it. */
  rename(from: string, to: string): void {
    const source = this.#locate(from, false);
    const target = this.#locate(to, false);
    if (source.node === undefined) {
      throw new FileError("ENOENT");
    }
    if (source.name === "" || target.name === "" || contains(source.node, target.directory)) {
      throw new FileError("EINVAL");
    }
    if (source.node === target.node) {
      return;
    }
    if (target.node?.type === "directory") {
      throw new FileError(source.node.type === "directory" ? "ENOTEMPTY" : "EISDIR");
    }
    this.#drop(source.directory, source.name);
    this.#put(target.directory, target.name, source.node);
  }

  /** @throws {FileError} for a missing path, or a directory without `recursive`. */
  remove(path: string, { recursive = false }: { readonly recursive?: boolean } = {}): void {
    const { directory, name, node } = this.#locate(path, false);
    if (node === undefined) {
      throw new FileError("ENOENT");
    }
    if (name === "") {
      throw new FileError("EINVAL");
    }
    if (node.type === "directory" && !recursive) {
      throw new FileError("EISDIR");
    }
    this.#drop(directory, name);
  }

  #put(directory: MemoryDirectory, name: string, node: MemoryNode): void {
    const { maxFiles = defaultMemoryLimits.maxFiles } = this.#limits;
    if (Buffer.byteLength(name) > maxNameBytes) {
      throw new FileError("ENAMETOOLONG");
    }
    if (!directory.entries.has(name) && this.#count + 1 > maxFiles) {
      throw new FileError("ENOSPC");
    }
    this.#drop(directory, name);
    directory.entries.set(name, node);
    this.#count += countOf(node);
    this.#bytes += sizeOf(node);
  }

  #drop(directory: MemoryDirectory, name: string): void {
    const node = directory.entries.get(name);
    if (node !== undefined) {
      directory.entries.delete(name);
      this.#count -= countOf(node);
      this.#bytes -= sizeOf(node);
    }
  }

  /** Returns the path of the directory that a path is in; `undefined` for the root. */
  #parentOf(path: string): string | undefined {
    const parts = partsOf(this.#absolute(path));
    return parts.length === 0 ? undefined : `/${parts.slice(0, -1).join("/")}`;
  }

  #absolute(path: string): string {
    return path.startsWith("/") ? path : `${this.#workingDirectory}/${path}`;
  }

  #locate(path: string, follows: boolean): Place {
    if (path === "") {
      throw new FileError("ENOENT");
    }
    if (Buffer.byteLength(path) > maxPathBytes) {
      throw new FileError("ENAMETOOLONG");
    }
    const parts = partsOf(this.#absolute(path));
    const way: MemoryDirectory[] = [];
    let current = this.#root;
    let links = 0;
    for (let name = parts.shift(); name !== undefined; name = parts.shift()) {
      if (name === "..") {
        current = way.pop() ?? this.#root;
        continue;
      }
      const node = current.entries.get(name);
      const isLast = parts.length === 0;
      if (node?.type === "symlink" && (!isLast || follows)) {
        links += 1;
        if (links > maxLinks) {
          throw new FileError("ELOOP");
        }
        if (node.target.startsWith("/")) {
          way.length = 0;
          current = this.#root;
        }
        parts.unshift(...partsOf(node.target));
      } else if (isLast) {
        return { directory: current, name, node };
      } else if (node?.type !== "directory") {
        throw new FileError(node === undefined ? "ENOENT" : "ENOTDIR");
      } else {
        way.push(current);
        current = node;
      }
    }
    return { directory: way.at(-1) ?? this.#root, name: "", node: current };
  }
}

function directoryOf(mode: number, modifiedMs: number): MemoryDirectory {
  return { type: "directory", mode, modifiedMs, entries: new Map() };
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}

/** Returns the bytes of a file, or of all files in a directory. */
function sizeOf(node: MemoryNode | undefined): number {
  switch (node?.type) {
    case "file":
      return node.content.byteLength;
    case "directory":
      return [...node.entries.values()].reduce((sum, one) => sum + sizeOf(one), 0);
    default:
      return 0;
  }
}

function countOf(node: MemoryNode): number {
  return node.type === "directory"
    ? [...node.entries.values()].reduce((sum, one) => sum + countOf(one), 1)
    : 1;
}

function contains(node: MemoryNode, directory: MemoryDirectory): boolean {
  return (
    node.type === "directory" &&
    (node === directory || [...node.entries.values()].some((one) => contains(one, directory)))
  );
}
