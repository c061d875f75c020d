import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bothClusters } from "./both-clusters.js";
import { runProgram } from "./run-program.js";
import type { ServedCluster } from "./serve.js";

const source = fileURLToPath(new URL("client-go/", import.meta.url));
/** Milliseconds for the build. The first one downloads and compiles all of client-go, perhaps beside other work. */
const buildTimeoutMs = 900_000;
const storyTimeoutMs = 240_000;

let folder: string;
let program: string | undefined;
let clusters: readonly ServedCluster[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "typekube-client-go-"));
  const out = join(folder, "story");
  const build = { env: {}, folder: source, timeoutMs: buildTimeoutMs };
  const { code, text } = await runProgram("go", ["build", "-o", out, "."], build);
  if (code !== 0) {
    console.warn(`SKIPPED: a Go informer against the servers; its program was not built: ${text}`);
    return;
  }
  program = out;
  clusters = await bothClusters();
}, buildTimeoutMs + 60_000);
afterAll(async () => {
  await Promise.all(clusters.map((cluster) => cluster[Symbol.asyncDispose]()));
  await rm(folder, { recursive: true, force: true });
});

it("ES32-client-go: an informer and a work queue see and do the same on both servers, in JSON and protobuf", {
  timeout: 4 * storyTimeoutMs,
}, async (test) => {
  if (program === undefined) {
    test.skip("the Go program was not built");
    return;
  }
  const logs: string[] = [];
  for (const { kubeconfig, name } of clusters) {
    for (const type of ["application/json", "application/vnd.kubernetes.protobuf"]) {
      const namespace = `go-story-${type.length}`;
      const env = { KUBECONFIG: kubeconfig, CONTENT_TYPE: type, STORY_NAMESPACE: namespace };
      const { code, text } = await runProgram(program, [], { env, timeoutMs: storyTimeoutMs });
      expect([name, type, code, text]).toEqual([name, type, 0, text]);
      logs.push(text);
    }
  }
  expect(logs[0]?.trim().split("\n")).toEqual([
    "synced",
    "before: labelled",
    "m-1: labelled",
    "m-1: seen blue",
    "m-1: seen blue big",
    "m-1: seen green big",
    "stale update: Conflict",
    "second create: AlreadyExists",
    expect.stringContaining('bad name: ConfigMap "M!" is invalid'),
    "m-1: gone",
    "listed: before",
  ]);
  expect([...new Set(logs)].length).toBe(1);
  console.log(`client-go: ${logs.length} runs on ${clusters.length} servers printed the same`);
});
