import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiServer, startApiServer } from "@typekube/apiserver";
import { call, mergePatch, pods } from "@typekube/test-support/api-calls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const version =
  spawnSync("kubectl", ["version", "--client", "-o", "json"]).stdout?.toString() ?? "";
const minor = Number(/"minor": "(\d+)/.exec(version)?.[1] ?? 0);
/** kubectl uses WebSockets by default since 1.31. */
const isThere = minor >= 31;
if (!isThere) {
  console.warn("SKIPPED: the cases of kubectl 1.31 and later; the installed kubectl is older");
}
const timeout = 120_000;

let api: ApiServer;
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  api = await startApiServer({
    authorization: "RBAC",
    pods: {
      log: () => ["one", "two"],
      async exec({ command, stdin, stdout, stderr }) {
        await stderr(`${command.join(" ")}\n`);
        for await (const chunk of stdin) {
          await stdout(chunk);
        }
        return command[0] === "false" ? 3 : 0;
      },
      async portForward({ port, data, write }) {
        for await (const _ of data) {
          const head = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n";
          await write(`${head}${port}`);
          return;
        }
      },
    },
  });
  const containers = [{ name: "c", image: "x" }];
  await call(api, "POST", pods, { metadata: { name: "web" }, spec: { containers } });
  const status = { phase: "Running" };
  await call(api, "PATCH", `${pods}/web/status`, { status }, mergePatch);
  folder = await mkdtemp(join(tmpdir(), "typekube-kubectl-"));
  const listener = await api.listen();
  await listener.writeKubeconfig(join(folder, "config"));
  env = { ...process.env, KUBECONFIG: join(folder, "config"), HOME: folder };
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

function start(...args: readonly string[]): ChildProcessWithoutNullStreams & { text: string } {
  const child = Object.assign(spawn("kubectl", args, { env }), { text: "" });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      child.text += chunk.toString();
    });
  }
  return child;
}

/** Runs kubectl until it exits; returns the exit code and all output. */
async function kubectl(input: string, ...args: readonly string[]): Promise<[number, string]> {
  const child = start(...args);
  child.stdin.end(input);
  const [code] = await once(child, "close");
  return [code, child.text];
}

describe.skipIf(!isThere)("kubectl", () => {
  it("§3.32: kubectl logs prints the last lines of a pod", { timeout }, async () => {
    expect(await kubectl("", "logs", "web", "--tail=1")).toEqual([0, "two\n"]);
  });

  it("§3.32: runs commands with input, and returns their exit codes", {
    timeout,
  }, async () => {
    expect(await kubectl("", "exec", "web", "--", "false")).toEqual([
      3,
      "false\ncommand terminated with exit code 3\n",
    ]);
    const [code, text] = await kubectl("hello\n", "exec", "-i", "web", "--", "cat");
    expect([code, text.split("\n").sort()]).toEqual([0, ["", "cat", "hello"]]);
  });

  it("§3.32: forwards ports, with several connections each", { timeout }, async () => {
    const child = start("port-forward", "web", ":80", ":81");
    await expect
      .poll(() => child.text.match(/127\.0\.0\.1:\d+ -> 8[01]/g)?.length, { timeout })
      .toBe(2);
    for (const [, local, port] of [
      ...child.text.matchAll(/127\.0\.0\.1:(\d+) -> (\d+)/g),
      ...child.text.matchAll(/127\.0\.0\.1:(\d+) -> (\d+)/g),
    ]) {
      expect(await (await fetch(`http://127.0.0.1:${local}/`)).text()).toBe(port);
    }
    child.kill();
    await once(child, "close");
  });

  it("§3.32: kubectl auth reports user and permissions; requests without permission are rejected", {
    timeout,
  }, async () => {
    expect((await kubectl("", "auth", "whoami"))[1]).toContain("system:admin");
    expect((await kubectl("", "auth", "can-i", "list", "pods"))[1]).toBe("yes\n");
    expect(await kubectl("", "auth", "can-i", "list", "pods", "--as", "bob")).toEqual([1, "no\n"]);
    expect((await kubectl("", "get", "pods", "--as", "bob"))[1]).toContain(
      'pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "default"',
    );
  });

  it("§3.32: applies, watches and deletes", { timeout }, async () => {
    const file = join(folder, "a.json");
    const object = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a" },
      data: { k: "v" },
    };
    await writeFile(file, JSON.stringify(object));
    const watching = start("get", "configmaps", "-w", "-o", "name");
    await expect.poll(() => api.openWatches, { timeout }).toBe(1);
    const apply = ["apply", "-f", file];
    expect(await kubectl("", ...apply)).toEqual([0, "configmap/a created\n"]);
    expect(await kubectl("", ...apply)).toEqual([0, "configmap/a unchanged\n"]);
    await expect.poll(() => watching.text, { timeout }).toContain("configmap/a");
    expect((await kubectl("", "delete", "-f", file))[1]).toContain('configmap "a" deleted');
    watching.kill();
    await once(watching, "close");
  });
});
