import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";

const manifestFile = /\.(?:json|ya?ml)$/;

/**
 * Reads the objects of a file, or of all manifests below a folder.
 *
 * @throws {KubeError} `InvalidArgument` for an unreadable file; the message names it.
 */
export async function readManifests(path: string): Promise<KubeObject[]> {
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
    throw new KubeError("InvalidArgument", `${path} contains no manifests`);
  }
  return objects;
}

/** Returns the manifest files below a folder, sorted by name, or the given file. */
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
