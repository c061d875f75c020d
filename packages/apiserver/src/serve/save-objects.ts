import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { KubeObject } from "@typekube/api";
import { toYaml } from "@typekube/core";
import { manifestItems } from "@typekube/core/internal";
import type { ApiServer } from "../api-server/api-server.js";
import { authenticationConfigMap } from "../server/fresh-cluster/config-maps.js";
import { savedPlace } from "./saved-place.js";

/** First line of every saved file. Files without it are left alone. */
const firstLine = "# Saved by typekube serve. The next save replaces or removes this file.";

/**
 * Writes each object to a separate file, `NAMESPACE/KIND.GROUP/NAME.yaml`, with `_cluster` for cluster-scoped objects;
 * loading the folder restores the same objects. Files are replaced atomically, and those of an earlier save are removed
 * only after all others are written, so a failed save loses nothing. Only the owner can read the files, as they may
 * contain Secrets.
 *
 * @param since - resourceVersion: objects not written after it are skipped. These are the ones that the server
 *   creates at startup.
 * @returns the number of saved objects.
 */
export async function saveObjects(api: ApiServer, folder: string, since: string): Promise<number> {
  const { parseManifests } = await import("typekube");
  const objects = (await parseManifests(await api.dump())).flatMap(manifestItems);
  const changed = objects.filter(
    (object) =>
      BigInt(object.metadata?.resourceVersion ?? 0) > BigInt(since) && !isOfThisProcess(object),
  );
  const { saved, others } = await filesOf(folder);
  const written = new Set<string>();
  for (const object of changed) {
    const file = freePath(join(folder, ...savedPlace(object)), others);
    await mkdir(dirname(file), { recursive: true });
    await replaceFile(file, `${firstLine}\n${toYaml(object, { managedFields: true })}`);
    written.add(file);
  }
  for (const file of saved) {
    if (!written.has(file)) {
      await rm(file, { force: true });
    }
  }
  return changed.length;
}

/** Returns true for the ConfigMap with the authority of this process; the next process has a different one. */
function isOfThisProcess({ kind, metadata }: KubeObject): boolean {
  const { namespace, name } = authenticationConfigMap;
  return kind === "ConfigMap" && metadata?.namespace === namespace && metadata.name === name;
}

/** Lists the files of a folder: those of an earlier save, and others. */
async function filesOf(folder: string): Promise<{ saved: Set<string>; others: Set<string> }> {
  const files = { saved: new Set<string>(), others: new Set<string>() };
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isSaved = entry.isFile() && path.endsWith(".yaml") && (await isOurs(path));
    files[isSaved ? "saved" : "others"].add(path);
  }
  return files;
}

async function isOurs(path: string): Promise<boolean> {
  try {
    return (await readFile(path, "utf8")).startsWith(firstLine);
  } catch {
    // A file that can't be read was not saved by us.
    return false;
  }
}

/** Returns a path not used by other files; no saved name contains a tilde. */
function freePath(path: string, others: ReadonlySet<string>): string {
  let free = path;
  while (others.has(free)) {
    free = free.replace(/\.yaml$/, "~.yaml");
  }
  return free;
}

async function replaceFile(file: string, text: string): Promise<void> {
  const part = `${file}.part`;
  await rm(part, { force: true });
  await writeFile(part, text, { mode: 0o600, flag: "wx" });
  await rename(part, file);
}
