import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bothClusters } from "./both-clusters.js";
import { runProgram } from "./run-program.js";
import type { ServedCluster } from "./serve.js";

const peers = new URL("../../packages/bench/peers/node_modules/", import.meta.url);
const node = fileURLToPath(new URL(`node-linux-${process.arch}/bin/node`, peers));
const clientNode = fileURLToPath(new URL("@kubernetes/client-node/dist/index.js", peers));
const story = fileURLToPath(new URL("client-node/story.js", import.meta.url));
const isThere = existsSync(node) && existsSync(clientNode);
if (!isThere) {
  console.warn("SKIPPED: @kubernetes/client-node against the servers; `pnpm bench` installs it");
}

let clusters: readonly ServedCluster[] = [];

describe.skipIf(!isThere)("@kubernetes/client-node", () => {
  beforeAll(async () => {
    clusters = await bothClusters();
  }, 480_000);
  afterAll(() => Promise.all(clusters.map((cluster) => cluster[Symbol.asyncDispose]())));

  it("ES32-client-node: lists, watches, follows and patches with the same results on both servers", {
    timeout: 480_000,
  }, async () => {
    const logs: string[] = [];
    for (const { kubeconfig, name } of clusters) {
      const env = { KUBECONFIG: kubeconfig, CLIENT_NODE: pathToFileURL(clientNode).href };
      const { code, text } = await runProgram(node, [story], { env, timeoutMs: 240_000 });
      expect([name, code, text]).toEqual([name, 0, text]);
      logs.push(text);
    }
    expect(logs[0]?.trim().split("\n")).toEqual([
      "listed m-1 m-2",
      "a page of 1 and there is more: true",
      "watched ADDED m-3 1",
      "watched MODIFIED m-3 2",
      "watched DELETED m-3 2",
      "informed add m-1 1",
      "informed add m-2 1",
      "informed update m-1 7",
      "informed delete m-2 1",
      "get is refused: 404 NotFound",
      "create is refused: 409 AlreadyExists",
      "bad name is refused: 422 Invalid",
    ]);
    expect([...new Set(logs)].length).toBe(1);
    console.log(`client-node: printed the same on ${clusters.length} servers`);
  });
});
