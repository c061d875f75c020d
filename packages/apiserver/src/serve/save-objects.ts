import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { KubeObject } from "@typekube/api";
import { manifestItems, toYaml } from "@typekube/core";
import type { ApiServer } from "../api-server.js";

/** The first line of every saved file. Files without it are not touched. */
const firstLine = "# Saved by typekube serve. The next save replaces or removes this file.";

/**
 * Writes each object into a file of its own, `NAMESPACE/KIND.GROUP/NAME.yaml`, with `_cluster` for objects without a
 * namespace; loading the folder gives the same objects. Files of an earlier save are replaced. Only the owner can read
 * the files, as they may hold Secrets.
 *
 * @param since - resourceVersion: objects not written after it are left out. They are the ones that the server itself
 *   creates when it starts.
 * @returns how many objects were saved.
 */
export async function saveObjects(api: ApiServer, folder: string, since: string): Promise<number> {
  const { parseManifests } = await import("typekube");
  const objects = (await parseManifests(await api.dump())).flatMap(manifestItems);
  const changed = objects.filter(
    ({ metadata }) => BigInt(metadata?.resourceVersion ?? 0) > BigInt(since),
  );
  await removeSaved(folder);
  for (const object of changed) {
    const file = join(folder, ...placeOf(object));
    await mkdir(dirname(file), { recursive: true });
    const text = `${firstLine}\n${toYaml(object, { managedFields: true })}`;
    await writeFile(file, text, { mode: 0o600 });
  }
  return changed.length;
}

async function removeSaved(folder: string): Promise<void> {
  for (const file of await readdir(folder, { recursive: true })) {
    if (file.endsWith(".yaml")) {
      const path = join(folder, file);
      const text = await readFile(path, "utf8");
      if (text.startsWith(firstLine)) {
        await rm(path);
      }
    }
  }
}

function placeOf({ apiVersion = "", kind = "", metadata }: KubeObject): string[] {
  const { namespace = "_cluster", name = "" } = metadata ?? {};
  const [, group = ""] = apiVersion.split("/").reverse();
  const type = group === "" ? kind : `${kind}.${group}`;
  return [namespace, type.toLowerCase(), `${fileName(name)}.yaml`];
}

/** Names of roles may have characters that file systems do not allow. */
function fileName(name: string): string {
  return name.replace(/[^\w.-]/g, (character) => encodeURIComponent(character).replace("*", "%2A"));
}
