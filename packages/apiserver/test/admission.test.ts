import assert from "node:assert/strict";
import { startApiServer } from "@typekube/apiserver";
import { call, configMaps, deployments, mergePatch, pods } from "@typekube/test-support/api-calls";
import { describe, test } from "vitest";
import { containers, items, rest, start, workload } from "./controlled-server.js";

const quotas = "/api/v1/namespaces/default/resourcequotas";
const ranges = "/api/v1/namespaces/default/limitranges";

const pod = (name: string, resources: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ ...containers[0], resources }] },
});

async function withStatus(
  api: Parameters<typeof call>[0],
  hard: Record<string, string>,
  used: Record<string, string>,
) {
  await call(api, "POST", quotas, { metadata: { name: "q" }, spec: { hard } });
  await call(api, "PATCH", `${quotas}/q/status`, { status: { hard, used } }, mergePatch);
}

const usedIn = async (api: Parameters<typeof call>[0]) =>
  (await call(api, "GET", `${quotas}/q`)).body.status.used;

describe("ResourceQuotas", () => {
  test("ES16: does not count a write that fails after the quota check", async () => {
    await using api = await startApiServer();
    await call(api, "POST", configMaps, { metadata: { name: "a" } });
    await withStatus(api, { configmaps: "5" }, { configmaps: "1" });
    const taken = await call(api, "POST", configMaps, { metadata: { name: "a" } });
    assert.equal(taken.status, 409);
    assert.deepEqual(await usedIn(api), { configmaps: "1" });
  });

  test("ES16: counts usage right before the write, at the preceding resourceVersion", async () => {
    await using api = await startApiServer();
    await withStatus(api, { configmaps: "5" }, { configmaps: "1" });
    const made = await call(api, "POST", configMaps, { metadata: { name: "a" } });
    const quota = await call(api, "GET", `${quotas}/q`);
    assert.equal(
      BigInt(made.body.metadata.resourceVersion) - BigInt(quota.body.metadata.resourceVersion),
      1n,
    );
  });

  test("ES16: checks every quota of the namespace and none of other namespaces", async () => {
    await using api = await startApiServer();
    await withStatus(api, { configmaps: "9" }, { configmaps: "0" });
    const second = { hard: { configmaps: "1" }, used: { configmaps: "1" } };
    await call(api, "POST", quotas, { metadata: { name: "r" }, spec: { hard: second.hard } });
    await call(api, "PATCH", `${quotas}/r/status`, { status: second }, mergePatch);
    const refused = await call(api, "POST", configMaps, { metadata: { name: "a" } });
    assert.match(refused.body.message, /exceeded quota: r,/);
    assert.deepEqual(await usedIn(api), { configmaps: "0" });
    const elsewhere = configMaps.replace("default", "kube-public");
    assert.equal((await call(api, "POST", elsewhere, { metadata: { name: "a" } })).status, 201);
  });

  test("ES16: each fork counts its own objects against a quota", async () => {
    await using api = await startApiServer();
    await withStatus(api, { configmaps: "1" }, { configmaps: "0" });
    await using fork = await api.fork();
    for (const one of [api, fork]) {
      const made = await call(one, "POST", configMaps, { metadata: { name: "a" } });
      assert.equal(made.status, 201);
      assert.deepEqual(await usedIn(one), { configmaps: "1" });
    }
  });

  test("ES22-quota: the controller counts existing objects at its start", async () => {
    await using api = await start({ controllers: { resourceQuotas: true } });
    await call(api, "POST", pods, pod("a", { requests: { cpu: "1500m" } }));
    const hard = { "requests.cpu": "2", "count/pods": "5", "count/nothings.example.com": "1" };
    await call(api, "POST", quotas, { metadata: { name: "q" }, spec: { hard } });
    await rest(api);
    // A resource that cannot be counted has no value.
    assert.deepEqual(await usedIn(api), { "requests.cpu": "1500m", "count/pods": "1" });
  });

  test("ES22-quota: a Deployment that exceeds the quota continues when the quota is raised", async () => {
    await using api = await start();
    await call(api, "POST", quotas, { metadata: { name: "q" }, spec: { hard: { pods: "1" } } });
    await rest(api);
    await call(api, "POST", deployments, workload("a", 3));
    await rest(api);
    assert.equal((await items(api, pods)).length, 1);
    await call(api, "PATCH", `${quotas}/q`, { spec: { hard: { pods: "3" } } }, mergePatch);
    await api.clock.advance(60_000);
    assert.equal((await items(api, pods)).length, 3);
    assert.deepEqual(await usedIn(api), { pods: "3" });
  });

  test("ES22-quota: the controller writes nothing when nothing changes", async () => {
    await using api = await start();
    const hard = { pods: "5", "requests.memory": "1.5Gi" };
    await call(api, "POST", quotas, { metadata: { name: "q" }, spec: { hard } });
    await rest(api);
    assert.ok(await api.isSteady({ ticks: 3, tickMs: 60_000 }));
  });
});

describe("LimitRanges", () => {
  test("ES16: each of several LimitRanges adds the defaults that are still missing", async () => {
    await using api = await startApiServer();
    for (const [name, amounts] of [
      ["a", { cpu: "1" }],
      ["b", { cpu: "2", memory: "1Gi" }],
    ] as const) {
      const limits = [{ type: "Container", default: amounts }];
      await call(api, "POST", ranges, { metadata: { name }, spec: { limits } });
    }
    const { body } = await call(api, "POST", pods, pod("p"));
    const given = { cpu: "1", memory: "1Gi" };
    assert.deepEqual(body.spec.containers[0].resources, { limits: given, requests: given });
    assert.equal(body.status.qosClass, "Guaranteed");
  });

  test("ES16: leaves an existing pod unchanged, except on resize", async () => {
    await using api = await startApiServer();
    await call(api, "POST", pods, pod("p"));
    const limits = [{ type: "Container", default: { cpu: "1" }, min: { memory: "1Gi" } }];
    await call(api, "POST", ranges, { metadata: { name: "a" }, spec: { limits } });
    const labelled = { metadata: { labels: { a: "b" } } };
    const { status, body } = await call(api, "PATCH", `${pods}/p`, labelled, mergePatch);
    assert.equal(status, 200);
    assert.deepEqual(body.spec.containers[0].resources, {});
  });
});

describe("PriorityClasses", () => {
  test("ES16: of several default classes that were loaded, a pod gets the lowest one", async () => {
    const classes = [500, 100, 300].map((value) => ({
      apiVersion: "scheduling.k8s.io/v1",
      kind: "PriorityClass",
      metadata: { name: `c${value}`, uid: `uid-${value}` },
      value,
      globalDefault: true,
      preemptionPolicy: value === 100 ? "Never" : "PreemptLowerPriority",
    }));
    await using api = await startApiServer({ load: classes });
    const made = await call(api, "POST", pods, pod("a"));
    const { priority, priorityClassName, preemptionPolicy } = made.body.spec;
    assert.deepEqual([priority, priorityClassName, preemptionPolicy], [100, "c100", "Never"]);
  });
});
