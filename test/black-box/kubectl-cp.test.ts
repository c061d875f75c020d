import { spawnSync } from "node:child_process";
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type ApiServer, startApiServer } from "@typekube/apiserver";
import type { PodCalls } from "@typekube/client";
import { type FileContainer, fileContainer } from "@typekube/test-support/file-container";
import { type Client, connect } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProgram } from "./run-program.js";

/** Milliseconds for one command. */
const timeoutMs = 60_000;
/** TYPEKUBE_KUBECTL names another kubectl than the one of the path. */
const kubectl: string = process.env["TYPEKUBE_KUBECTL"] ?? "kubectl";
const isThere = spawnSync(kubectl, ["version", "--client"]).status === 0;
if (!isThere) {
  console.warn("SKIPPED: copies by kubectl; kubectl is missing");
}

/** Files on both sides before each copy. The target of a link begins with `-> `. */
const before = {
  "dir/a.txt": "a",
  "dir/sub/b.txt": "bb",
  "dir/empty/": "",
  "dir/link": "-> a.txt",
  "one.txt": "1",
  "sp ace/ä.txt": "u",
  "into/a.txt": "old",
  "old.txt": "an old content",
  "bare/": "",
  link: "-> one.txt",
};

/** One side of a copy, and the folder in it. */
interface Side extends AsyncDisposable {
  readonly api: ApiServer;
  readonly client: Client;
  readonly pod: PodCalls;
  readonly url: string;
  readonly container: FileContainer;
  readonly local: string;
}

async function startSide(): Promise<Side> {
  const container = await fileContainer();
  const local = await mkdtemp(join(tmpdir(), "typekube-cp-"));
  const api = await startApiServer({ pods: { exec: container.exec } });
  const { server: url } = await api.listen({ tls: false, anonymous: true });
  const client = await connect({ server: url });
  const pods = client.resource(Pod, "default");
  await pods.create({
    metadata: { name: "web-0" },
    spec: { containers: [{ name: "main", image: "x" }] },
  });
  await put(local);
  await put(container.folder);
  return {
    api,
    client,
    pod: pods.named("web-0"),
    url,
    container,
    local,
    async [Symbol.asyncDispose]() {
      await client.close();
      await api.close();
      await container[Symbol.asyncDispose]();
      await rm(local, { recursive: true, force: true });
    },
  };
}

async function put(folder: string): Promise<void> {
  for (const [path, content] of Object.entries(before)) {
    const full = join(folder, path);
    await mkdir(path.endsWith("/") ? full : dirname(full), { recursive: true });
    if (content.startsWith("-> ")) {
      await symlink(content.slice(3), full);
    } else if (!path.endsWith("/")) {
      await writeFile(full, content);
    }
  }
}

async function treeOf(folder: string, prefix = ""): Promise<string[]> {
  const lines: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const [path, name] = [join(folder, entry.name), `${prefix}${entry.name}`];
    if (entry.isDirectory()) {
      lines.push(`${name}/`, ...(await treeOf(path, `${name}/`)));
    } else if (entry.isSymbolicLink()) {
      lines.push(`${name} -> ${await readlink(path)}`);
    } else {
      lines.push(`${name}: ${await readFile(path, "utf8")}`);
    }
  }
  return lines.sort();
}

describe.skipIf(!isThere)("copies by kubectl and by us end the same", () => {
  let [theirs, ours]: [Side, Side] = [] as never;
  beforeEach(async () => {
    theirs = await startSide();
    ours = await startSide();
  });
  afterEach(async () => {
    await theirs[Symbol.asyncDispose]();
    await ours[Symbol.asyncDispose]();
  });

  async function byKubectl(from: string, to: string): Promise<number | null> {
    const { code } = await runProgram(kubectl, ["--server", theirs.url, "cp", from, to], {
      env: { KUBECONFIG: "/dev/null", HOME: dirname(theirs.container.folder) },
      folder: theirs.local,
      timeoutMs,
    });
    return code;
  }

  it.each([
    ["one.txt", "new.txt"],
    ["one.txt", "x/y/new.txt"],
    ["one.txt", "old.txt"],
    ["one.txt", "slash/"],
    ["dir", "new"],
    ["dir", "into"],
    ["dir/.", "new"],
    ["dir/", "new"],
    ["../files/dir", "new"],
    ["ABSOLUTE/dir", "new"],
    ["bare", "new"],
    ["sp ace", "new"],
    ["link", "new"],
    ["dir", "deep/er/new"],
  ])("XC1: from the pod: %s to %s", async (remote, local) => {
    const at = ({ container }: Side) => remote.replace("ABSOLUTE", container.folder);
    expect(await byKubectl(`default/web-0:${at(theirs)}`, local)).toBe(0);
    await ours.pod.copyFrom(at(ours), `${ours.local}/${local}`);
    expect(await treeOf(ours.local)).toEqual(await treeOf(theirs.local));
  });

  it.each([
    ["a file into a directory that exists", "one.txt", "into", "into/one.txt: 1"],
    ["a path that ends with ..", "dir/sub/..", "new", "new/sub/b.txt: bb"],
    ["a path that begins with ./", "./dir", "new", "new/sub/b.txt: bb"],
    ["a name that begins with a dash", "-rf", "new", "new: dash"],
  ])("XC1: from the pod, where only kubectl fails: %s", async (_what, remote, local, line) => {
    for (const { container } of [theirs, ours]) {
      await writeFile(join(container.folder, "-rf"), "dash");
    }
    expect(await byKubectl(`default/web-0:${remote}`, local)).not.toBe(0);
    await ours.pod.copyFrom(remote, join(ours.local, local));
    expect(await treeOf(ours.local)).toContain(line);
  });

  it.each([
    ["one.txt", "new.txt"],
    ["one.txt", "old.txt"],
    ["one.txt", "into"],
    ["one.txt", "into/"],
    ["one.txt", "slash/"],
    ["one.txt", "ABSOLUTE/new.txt"],
    ["one.txt", "dir/../new.txt"],
    ["dir", "new"],
    ["dir", "into"],
    ["dir/", "into"],
    ["dir/.", "into"],
    ["dir/.", "new"],
    ["dir", "ABSOLUTE/new"],
    ["dir", "."],
    ["bare", "new"],
    ["link", "new"],
    ["sp ace", "ne w"],
  ])("XC1, XC3: to the pod: %s to %s", async (local, remote) => {
    const at = ({ container }: Side) => remote.replace("ABSOLUTE", container.folder);
    expect(await byKubectl(local, `default/web-0:${at(theirs)}`)).toBe(0);
    await ours.pod.copyTo(`${ours.local}/${local}`, at(ours));
    expect(await treeOf(ours.container.folder)).toEqual(await treeOf(theirs.container.folder));
  });

  it.each([
    ["from", "nothing", "new"],
    ["to", "nothing", "new"],
    ["to", "one.txt", "no/such/place"],
  ])("XC1: both fail and change nothing: %s the pod, %s to %s", async (way, source, to) => {
    const isFrom = way === "from";
    const code = isFrom
      ? await byKubectl(`default/web-0:${source}`, to)
      : await byKubectl(source, `default/web-0:${to}`);
    // kubectl may end with success before it notices that the remote tar failed.
    expect(isFrom || code !== 0).toBe(true);
    const copy = isFrom
      ? ours.pod.copyFrom(source, join(ours.local, to))
      : ours.pod.copyTo(join(ours.local, source), to);
    await expect(copy).rejects.toThrow();
    expect(await treeOf(ours.local)).toEqual(await treeOf(theirs.local));
    expect(await treeOf(ours.container.folder)).toEqual(await treeOf(theirs.container.folder));
  });
});
