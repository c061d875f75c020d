import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigMap } from "@typekube/api/core/v1";
import { ClusterRole } from "@typekube/api/rbac/v1";
import { startApiServer } from "@typekube/apiserver";
import { afterEach, beforeEach, expect, it } from "vitest";
import { saveObjects } from "../src/serve/save-objects.js";
import { readManifests } from "../src/server/manifest-files.js";

let folder: string;
let api: Awaited<ReturnType<typeof startApiServer>>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "typekube-save-"));
  api = await startApiServer();
});
afterEach(async () => {
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

/** Creates ClusterRoles, whose names may contain nearly anything, and saves them. */
async function savedRoles(...names: readonly string[]): Promise<string[]> {
  const since = api.resourceVersion;
  await using client = await api.client();
  for (const name of names) {
    await client.resource(ClusterRole).create({ metadata: { name }, rules: [] });
  }
  expect(await saveObjects(api, folder, since)).toBe(names.length);
  return (await readManifests(folder)).map(({ metadata }) => metadata?.name ?? "").sort();
}

it.each([
  ["names that differ only in case", ["reader", "Reader", "READER"]],
  ["characters of two UTF-16 code units", ["a😀b", "a😃b"]],
  ["names longer than a file name may be", [`${"x".repeat(300)}a`, `${"x".repeat(300)}b`]],
  [
    "reserved device names, dots and separators",
    ["con", "nul.x", "...", "..a", "a\\..\\b", "a:b*?"],
  ],
])("gives each object a unique file name: %s", async (_, names) => {
  expect(await savedRoles(...names)).toEqual([...names].sort());
  const files = (await readdir(folder, { recursive: true })).map((file) => file.toLowerCase());
  expect(new Set(files).size).toBe(files.length);
});

it("a failed save keeps the files of the previous one", async () => {
  await savedRoles("first");
  const since = api.resourceVersion;
  await using client = await api.client({ namespace: "default" });
  await client.resource(ConfigMap, "default").create({ metadata: { name: "second" } });
  await writeFile(join(folder, "default"), "a file where a folder is needed");
  await expect(saveObjects(api, folder, since)).rejects.toThrow(/EEXIST|ENOTDIR/);
  const names = (await readManifests(folder)).map(({ metadata }) => metadata?.name);
  expect(names).toEqual(["first"]);
});

it("keeps foreign files, and folders named like files", async () => {
  const since = api.resourceVersion;
  await using client = await api.client({ namespace: "default" });
  await client.resource(ConfigMap, "default").create({ metadata: { name: "a" } });
  const place = join(folder, "default", "configmap");
  await mkdir(join(place, "odd.yaml"), { recursive: true });
  await writeFile(join(place, "a.yaml"), "# mine\n", { mode: 0o644 });
  for (const _ of ["first", "second"]) {
    expect(await saveObjects(api, folder, since)).toBe(1);
    expect((await readdir(place)).sort()).toEqual(["a.yaml", "a~.yaml", "odd.yaml"]);
  }
  expect(await readFile(join(place, "a.yaml"), "utf8")).toBe("# mine\n");
});

it("replaces a file that others could read with one that only its owner can read", async () => {
  const since = api.resourceVersion;
  await using client = await api.client({ namespace: "default" });
  await client.resource(ConfigMap, "default").create({ metadata: { name: "a" } });
  await saveObjects(api, folder, since);
  const file = join(folder, "default", "configmap", "a.yaml");
  await chmod(file, 0o644);
  await saveObjects(api, folder, since);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it("does not save the CA of a listener: the next process has another one", async () => {
  const since = api.resourceVersion;
  await api.listen();
  expect(await saveObjects(api, folder, since)).toBe(0);
});
