import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { KubeError } from "@typekube/core";
import type { Client } from "typekube";

const manifestFile = /\.(?:json|ya?ml)$/;

/**
 * Applies the manifests of a file, or of every one below a folder, all together: namespaces and definitions of kinds
 * come first, wherever they stand.
 *
 * @returns how many objects were applied.
 * @throws {KubeError} `InvalidArgument` where nothing can be read, else the first failure; it names the file or object.
 */
export async function loadManifests(client: Client, path: string): Promise<number> {
  const { parseManifests } = await import("typekube");
  const objects = [];
  for (const file of await manifestFiles(path)) {
    try {
      objects.push(...(await parseManifests(await readFile(file, "utf8"))));
    } catch (error) {
      throw new KubeError("InvalidArgument", `${file}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
  if (objects.length === 0) {
    throw new KubeError("InvalidArgument", `${path} holds no manifests`);
  }
  const applied = await client.applyAll(objects, { fieldManager: "typekube-serve", force: true });
  return applied.length;
}

/** The manifests of a folder, in the order of their names, or the one file. */
export async function manifestFiles(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) {
      return [path];
    }
    const files = await readdir(path, { recursive: true });
    return files
      .filter((file) => manifestFile.test(file))
      .sort()
      .map((file) => join(path, file));
  } catch (error) {
    throw new KubeError("InvalidArgument", `${path} cannot be read: ${(error as Error).message}`);
  }
}
