import { chmod, lstat, mkdir, realpath, stat, utimes } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { KubeError } from "@typekube/core";
import { isErrno } from "./local-error.js";
import { dateOf } from "./local-file.js";
import type { TarEntry } from "./tar/tar-entry.js";

/** Mode of a directory until its contents are complete: the archive's may forbid to write into it. */
const openMode = 0o700;

/**
 * The directory that a copy writes to. Each directory below it is created, or checked by its real path, part by part,
 * before anything is written there: none is left through a link that was there, or came with the copy.
 */
export class LocalTree {
  readonly #path: string;
  /** Real paths of directories that were checked, by their parts. */
  readonly #checked = new Map<string, string>();
  readonly #created: { readonly path: string; readonly entry: TarEntry }[] = [];
  #root: string | undefined;

  /** @param path - directory that the caller named; it is created with its parents when the first file comes. */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Returns the real path of a directory in the tree, which is created where it is missing. `undefined` where a link
   * leads out of the tree.
   *
   * @param entry - attributes that the directory gets at the end, if it is created.
   * @throws {KubeError} `InvalidState` when a file is in its place.
   */
  async directory(parts: readonly string[], entry?: TarEntry): Promise<string | undefined> {
    let path: string | undefined = await this.root(parts.length === 0 ? entry : undefined);
    for (let depth = 1; depth <= parts.length && path !== undefined; depth++) {
      const isLast = depth === parts.length;
      path = await this.#child(path, parts.slice(0, depth), isLast ? entry : undefined);
    }
    return path;
  }

  /** Sets modes and times of created directories, the deepest first. */
  async finish(): Promise<void> {
    for (const { path, entry } of [...this.#created].reverse()) {
      const modified = dateOf(entry.modifiedMs);
      await chmod(path, entry.mode & 0o777);
      await utimes(path, modified, modified);
    }
  }

  /** Returns `true` for a real path in the tree. */
  async contains(path: string): Promise<boolean> {
    const way = relative(await this.root(), path);
    return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  }

  /** Returns the real path of the tree, which is created with its parents where it is missing. */
  async root(entry?: TarEntry): Promise<string> {
    if (this.#root === undefined) {
      await mkdir(dirname(this.#path), { recursive: true });
      const isNew = await isCreated(this.#path, entry);
      this.#root = await realpath(this.#path);
      if (!(await stat(this.#root)).isDirectory()) {
        throw inTheWay(this.#path);
      }
      if (isNew && entry !== undefined) {
        this.#created.push({ path: this.#root, entry });
      }
    }
    return this.#root;
  }

  async #child(
    parent: string,
    parts: readonly string[],
    entry: TarEntry | undefined,
  ): Promise<string | undefined> {
    const key = parts.join("/");
    const known = this.#checked.get(key);
    if (known !== undefined) {
      return known;
    }
    const path = await this.#createOrCheck(join(parent, parts.at(-1) ?? ""), entry);
    if (path !== undefined) {
      this.#checked.set(key, path);
    }
    return path;
  }

  async #createOrCheck(path: string, entry: TarEntry | undefined): Promise<string | undefined> {
    if (await isCreated(path, entry)) {
      if (entry !== undefined) {
        this.#created.push({ path, entry });
      }
      return path;
    }
    const found = await lstat(path);
    if (found.isDirectory()) {
      return path;
    }
    if (!found.isSymbolicLink()) {
      throw inTheWay(path);
    }
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined || !(await this.contains(real))) {
      return undefined;
    }
    if (!(await stat(real)).isDirectory()) {
      throw inTheWay(path);
    }
    return real;
  }
}

/** Creates a directory. Returns `false` when its name is in use. */
async function isCreated(path: string, entry: TarEntry | undefined): Promise<boolean> {
  try {
    await mkdir(path, entry === undefined ? {} : { mode: openMode });
    return true;
  } catch (error) {
    if (isErrno(error, "EEXIST")) {
      return false;
    }
    throw error;
  }
}

function inTheWay(path: string): KubeError {
  return new KubeError("InvalidState", `${JSON.stringify(path)} is a file, and a directory comes`, {
    hint: "remove it, or copy to another place",
  });
}
