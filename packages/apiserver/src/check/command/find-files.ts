import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { pathPattern } from "../options/path-pattern.js";
import { UsageProblem } from "./command-options.js";

const manifestFile = /\.(?:json|ya?ml)$/i;

/**
 * Returns the manifest files of paths, relative to a folder, each once: files as given, folders and patterns with their
 * `.yaml`, `.yml` and `.json` files. Hidden folders and `node_modules` are left out.
 *
 * @throws {UsageProblem} for a path that does not exist or cannot be read, and for URLs, which are never downloaded.
 */
export async function findFiles(
  folder: string,
  paths: readonly string[],
  ignore: readonly string[] = [],
): Promise<readonly string[]> {
  const ignored = ignore.map(pathPattern);
  const isWanted = (path: string) => !ignored.some((pattern) => pattern.test(path));
  const found = new Set<string>();
  for (const path of paths) {
    if (/^https?:\/\//.test(path)) {
      throw new UsageProblem(
        `${path}: nothing is downloaded; save the file, or pipe it to typekube check -`,
      );
    }
    for (const file of await filesOf(folder, path)) {
      const name = nameOf(folder, file);
      if (isWanted(name)) {
        found.add(name);
      }
    }
  }
  return [...found];
}

async function filesOf(folder: string, path: string): Promise<readonly string[]> {
  const whole = resolve(folder, path);
  try {
    return (await stat(whole)).isDirectory() ? await filesBelow(whole, new Set()) : [whole];
  } catch (error) {
    if (!/[*?]/.test(path)) {
      throw new UsageProblem(`${path} cannot be read: ${(error as Error).message}`);
    }
  }
  const pattern = path.replaceAll("\\", "/");
  const fixed = pattern.split("/");
  const base = fixed
    .slice(
      0,
      fixed.findIndex((part) => /[*?]/.test(part)),
    )
    .join("/");
  const below = resolve(folder, base === "" && isAbsolute(path) ? "/" : base);
  const all = await filesBelow(below, new Set()).catch(() => []);
  const matcher = pathPattern(pattern.includes("/") ? pattern : `./${pattern}`);
  return all.filter((file) => matcher.test(isAbsolute(path) ? file : nameOf(folder, file)));
}

/** @param visited - real paths of the folders above, which end loops of symbolic links. */
async function filesBelow(folder: string, visited: ReadonlySet<string>): Promise<string[]> {
  const real = await realpath(folder);
  if (visited.has(real)) {
    return [];
  }
  const inside = new Set([...visited, real]);
  const files: string[] = [];
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith(".") || entry.name === "node_modules") {
      continue;
    }
    const path = join(folder, entry.name);
    const target = entry.isSymbolicLink() ? await stat(path).catch(() => undefined) : entry;
    if (target?.isDirectory()) {
      files.push(...(await filesBelow(path, inside)));
    } else if (target?.isFile() && manifestFile.test(entry.name)) {
      files.push(path);
    }
  }
  return files;
}

function nameOf(folder: string, file: string): string {
  const name = relative(folder, file);
  return name.startsWith("..") ? file : name.replaceAll("\\", "/");
}
