import { lstat, realpath, symlink } from "node:fs/promises";
import { dirname, join, posix, relative, sep } from "node:path";
import { isErrno } from "./local-error.js";
import { replace, temporaryName } from "./local-file.js";
import type { LocalTree } from "./local-tree.js";

/** A symbolic link of an archive. */
export interface KeptLink {
  readonly parts: readonly string[];
  readonly target: string;
}

/**
 * Creates a symbolic link if it leads to a place in the tree. Called after all files were written, so that none of them
 * goes through a link of the archive. Returns `false` for a link that was not created.
 */
export async function keepLink(tree: LocalTree, { parts, target }: KeptLink): Promise<boolean> {
  const directory = await tree.directory(parts.slice(0, -1));
  const name = parts.at(-1);
  if (directory === undefined || name === undefined) {
    return false;
  }
  const depth = relative(await tree.root(), directory)
    .split(sep)
    .filter(Boolean).length;
  if (!staysInside(target, depth)) {
    return false;
  }
  const path = join(directory, name);
  if ((await isDirectory(path)) || !(await leadsInside(tree, join(directory, target)))) {
    return false;
  }
  const temporary = join(directory, temporaryName());
  try {
    await symlink(target, temporary);
    await replace(temporary, path);
    return true;
  } catch (error) {
    if (isErrno(error, "EPERM", "ENAMETOOLONG")) {
      return false;
    }
    throw error;
  }
}

/**
 * Returns `true` for a relative target that leaves its directory by at most `depth` steps, all of them in front. A `..`
 * behind a name could leave the tree, since the name may be a link itself.
 */
export function staysInside(target: string, depth: number): boolean {
  if (target === "" || target.includes("\0") || target.includes("\\") || posix.isAbsolute(target)) {
    return false;
  }
  const parts = target.split("/").filter((part) => part !== "" && part !== ".");
  const names = parts.findIndex((part) => part !== "..");
  const steps = names < 0 ? parts.length : names;
  return steps <= depth && !parts.slice(steps).includes("..");
}

/** Names in a path may be links that were there before, to other places. */
async function leadsInside(tree: LocalTree, path: string): Promise<boolean> {
  for (let at = path; ; at = dirname(at)) {
    try {
      return await tree.contains(await realpath(at));
    } catch {
      if (await isThere(at)) {
        return false;
      }
    }
  }
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    if (isErrno(error, "ENOENT")) {
      return false;
    }
    throw error;
  }
}
