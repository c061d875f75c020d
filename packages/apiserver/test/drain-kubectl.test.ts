import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApiServer } from "@typekube/apiserver";
import { runPods } from "@typekube/apiserver/controllers";
import { call, deployments, type Json, pods } from "@typekube/test-support/api-calls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { containers } from "./controlled-server.js";

const isThere = spawnSync("kubectl", ["version", "--client"]).status === 0;
if (!isThere) {
  console.warn("SKIPPED: kubectl drain; there is no kubectl");
}
const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
const labels = { app: "web" };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "typekube-drain-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Starts a server with two ready pods of a Deployment behind a disruption budget, and a kubectl for it. */
async function serverWith(minAvailable: number) {
  const api = await startApiServer({ controllers: true, stages: runPods({ readyAfterMs: 0 }) });
  const spec = { replicas: 2, selector: { matchLabels: labels } };
  const template = { metadata: { labels }, spec: { containers } };
  const metadata = { name: "web" };
  await call(api, "POST", deployments, { metadata, spec: { ...spec, template } });
  await call(api, "POST", budgets, {
    metadata,
    spec: { minAvailable, selector: { matchLabels: labels } },
  });
  await api.settled();
  const listener = await api.listen();
  const kubeconfig = join(folder, `config-${minAvailable}`);
  await listener.writeKubeconfig(kubeconfig);
  const kubectl = async (...args: readonly string[]): Promise<[number, string]> => {
    const env = { ...process.env, KUBECONFIG: kubeconfig, HOME: folder };
    const child = spawn("kubectl", args, { env });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
    }
    const [code] = await once(child, "close");
    return [code, text];
  };
  const names = async () =>
    (await call(api, "GET", pods)).body.items.map(({ metadata: { name } }: Json) => name);
  return { api, kubectl, names, [Symbol.asyncDispose]: () => api.close() };
}

describe.skipIf(!isThere)("kubectl drain", { timeout: 120_000 }, () => {
  it("completes when the budget allows one disruption at a time", async () => {
    await using server = await serverWith(1);
    const before = await server.names();
    const [code, text] = await server.kubectl("drain", "node-1", "--timeout=60s");
    expect([code, text]).toEqual([0, expect.stringContaining("node/node-1 drained")]);
    await server.api.settled();
    const after = await server.names();
    expect(after).toHaveLength(2);
    expect(after.filter((name: string) => before.includes(name))).toEqual([]);
  });

  it("is rejected with 429 when the budget is used up, and keeps the pods", async () => {
    await using server = await serverWith(2);
    const before = await server.names();
    const [code, text] = await server.kubectl("drain", "node-1", "--timeout=2s");
    expect(code).toBe(1);
    expect(text).toContain("Cannot evict pod as it would violate the pod's disruption budget.");
    expect(await server.names()).toEqual(before);
    const refused = server.api.requests.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
  });
});
