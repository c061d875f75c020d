import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Reads the files of a folder, by their paths below `base`; empty when the folder is missing. */
export function readFolder(base: string, folder: string): Map<string, string> {
  let entries: ReturnType<typeof listFiles>;
  try {
    entries = listFiles(join(base, folder));
  } catch {
    return new Map();
  }
  return new Map(
    entries.map((file) => [relative(base, file).replaceAll("\\", "/"), readFileSync(file, "utf8")]),
  );
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Makes the folders hold exactly these files. Leaves files that already match untouched. */
export function writeFolders(
  base: string,
  folders: readonly string[],
  files: ReadonlyMap<string, string>,
): void {
  const before = new Map(folders.flatMap((folder) => [...readFolder(base, folder)]));
  for (const path of before.keys()) {
    if (!files.has(path)) {
      rmSync(join(base, path));
    }
  }
  for (const [path, text] of files) {
    if (before.get(path) !== text) {
      mkdirSync(dirname(join(base, path)), { recursive: true });
      writeFileSync(join(base, path), text);
    }
  }
}

/** Returns the paths that differ or exist on one side only. */
export function differences(
  a: ReadonlyMap<string, string>,
  b: ReadonlyMap<string, string>,
): string[] {
  return [...new Set([...a.keys(), ...b.keys()])]
    .filter((path) => a.get(path) !== b.get(path))
    .sort();
}
