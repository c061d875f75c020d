import { startApiServer } from "@typekube/apiserver";
import { folder } from "@typekube/test-support/kubeconfig-files";
import { type Client, mergePatch } from "typekube";
import { ConfigMap, Namespace, Secret } from "typekube/api/core/v1";
import { defineController, startManager } from "typekube/controller";
import { expect, test } from "vitest";
import { formatDuration, readDuration } from "../src/command/duration-argument.js";
import { runCommand } from "../src/command/run-command.js";
import { findWaitingObjects } from "../src/command/waiting-objects.js";

const hourMs = 3_600_000;
const log = () => {};

async function typekube(...args: string[]) {
  const written = { out: "", err: "" };
  const code = await runCommand(args, {
    folder: process.cwd(),
    write: (text) => {
      written.out += text;
    },
    writeError: (text) => {
      written.err += text;
    },
  });
  return { code, ...written };
}

/** Starts a server whose clock stands, and deletes objects that finalizers hold. */
async function withWaiting() {
  const api = await startApiServer({ clock: "virtual" });
  const client: Client = await api.client();
  const failing = defineController(ConfigMap, {
    name: "shops",
    retry: { maxAttempts: 1 },
    reconcile() {},
    finalize() {
      throw new Error("the DNS server does not respond");
    },
  });
  const manager = await startManager(client, { controllers: [failing], log });
  const configs = client.resource(ConfigMap, "default");
  await configs.create({ metadata: { name: "old" }, data: { a: "1" } });
  await api.settled();
  const metadata = { metadata: { finalizers: ["typekube.dev/shops", "example.com/hand"] } };
  await configs.patch("old", mergePatch(metadata), { fieldManager: "kubectl-edit" });
  await configs.delete("old");
  await api.settled();
  await api.clock.advance(hourMs);
  await client.resource(Secret, "default").create({
    metadata: { name: "young", finalizers: ["example.com/hand"] },
  });
  await client.resource(Secret, "default").delete("young");
  await client.resource(Secret, "default").create({ metadata: { name: "well" } });
  await api.settled();
  return {
    api,
    client,
    async [Symbol.asyncDispose]() {
      await manager.stop();
      await client.close();
      await api.close();
    },
  };
}

const old = {
  apiVersion: "v1",
  kind: "ConfigMap",
  namespace: "default",
  name: "old",
  waitingMs: hourMs,
  finalizers: [
    { name: "typekube.dev/shops", managers: ["shops"] },
    { name: "example.com/hand", managers: ["kubectl-edit"] },
  ],
};
const young = {
  kind: "Secret",
  name: "young",
  waitingMs: 0,
  finalizers: [{ name: "example.com/hand" }],
};

test("CF10: objects that wait for their deletion are found with their finalizers and who set these", async () => {
  await using world = await withWaiting();
  const errors: unknown[] = [];
  const find = (olderThanMs: number, namespace?: string) =>
    findWaitingObjects(world.client, {
      namespace,
      olderThanMs,
      now: world.api.clock.now(),
      onError: (...error) => errors.push(error),
    });
  expect(await find(0)).toMatchObject([old, young]);
  expect(await find(hourMs)).toMatchObject([old]);
  expect(await find(hourMs + 1)).toEqual([]);
  expect(await find(0, "default")).toMatchObject([old, young]);
  expect(await find(0, "kube-system")).toEqual([]);
  expect(errors).toEqual([]);
});

test("CF10: typekube finalizers prints a table, the longest wait first, or JSON", async () => {
  // The objects were deleted by a clock that is behind the one of the command.
  await using world = await withWaiting();
  await using files = await folder();
  const kubeconfig = `${files.path}/config`;
  await (await world.api.listen()).writeKubeconfig(kubeconfig);
  const run = (...args: string[]) => typekube("finalizers", "--kubeconfig", kubeconfig, ...args);
  const table = await run("--stuck");
  expect([table.code, table.err]).toEqual([0, ""]);
  const rows = table.out.trimEnd().split("\n");
  expect(rows.map((row) => row.split(/ {3,}/))).toEqual([
    ["NAMESPACE", "KIND", "NAME", "WAITING", "FINALIZER", "SET BY"],
    ["default", "ConfigMap", "old", expect.any(String), "typekube.dev/shops", "shops"],
    ["default", "ConfigMap", "old", expect.any(String), "example.com/hand", "kubectl-edit"],
    ["default", "Secret", "young", expect.any(String), "example.com/hand", expect.any(String)],
  ]);
  const json = await run("-o", "json", "-n", "default", "--context", "typekube");
  expect(JSON.parse(json.out)).toMatchObject([{ name: "old" }, { name: "young" }]);
  const none = await run("--older-than", "99999d");
  expect(none).toEqual({ code: 0, out: "", err: "no objects wait for their deletion\n" });
  expect(JSON.parse((await run("--older-than", "99999d", "-o", "json")).out)).toEqual([]);
});

test("CF10: a resource that cannot be listed is named, the others are shown, and the command fails", async () => {
  await using world = await withWaiting();
  await using files = await folder();
  const kubeconfig = `${files.path}/config`;
  await (await world.api.listen()).writeKubeconfig(kubeconfig);
  world.api.fault({ verb: "list", resource: "secrets", status: 403, times: Infinity });
  const { code, out, err } = await typekube("finalizers", "--kubeconfig", kubeconfig);
  expect(code).toBe(1);
  expect(out).toContain("old");
  expect(err).toMatch(/^typekube finalizers: cannot list secrets in v1: .*Forbidden/);
});

test("CF10: cluster-wide objects are found, and in no namespace", async () => {
  await using world = await withWaiting();
  const namespaces = world.client.resource(Namespace);
  await namespaces.create({ metadata: { name: "going", finalizers: ["example.com/hand"] } });
  await namespaces.delete("going");
  const options = { olderThanMs: 0, now: world.api.clock.now(), onError() {} };
  const all = await findWaitingObjects(world.client, { ...options, namespace: undefined });
  expect(all.filter(({ kind }) => kind === "Namespace")).toMatchObject([
    { name: "going", finalizers: [{ name: "example.com/hand" }] },
  ]);
  const some = await findWaitingObjects(world.client, { ...options, namespace: "going" });
  expect(some).toEqual([]);
});

test.each([
  ["an unknown option", ["--stcuk"], 2, /--stcuk/],
  ["a wrong duration", ["--older-than", "1 hour"], 2, /"1 hour" is not a duration such as 90s/],
  ["no duration", ["--older-than", ""], 2, /"" is not a duration/],
  ["an unknown output", ["-o", "yaml"], 2, /--output is json or table, not "yaml"/],
  ["a missing kubeconfig", ["--kubeconfig", "/missing"], 1, /\/missing/],
])("typekube finalizers with %s says what is wrong", async (_, args, code, text) => {
  const result = await typekube("finalizers", ...args);
  expect(result.code).toBe(code);
  expect(result.err).toMatch(text);
});

test.each([
  ["90s", 90_000, "1m30s"],
  ["1h30m", 5_400_000, "1h30m"],
  ["2d4h10m", 187_800_000, "2d4h"],
  ["1d5m", 86_700_000, "1d"],
  ["0s", 0, "0s"],
])("a duration of %s is %d ms, shown as %s", (text, ms, shown) => {
  expect([readDuration(text), formatDuration(ms)]).toEqual([ms, shown]);
});
