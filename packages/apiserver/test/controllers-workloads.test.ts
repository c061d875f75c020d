import { runPods } from "@typekube/apiserver/controllers";
import { call, deployments, type Json, mergePatch, pods } from "@typekube/test-support/api-calls";
import { expect, it } from "vitest";
import {
  containers,
  items,
  names,
  replicaSets,
  rest,
  start,
  workload,
} from "./controlled-server.js";

it("ES22: a stalled rollout exceeds its deadline on the server's clock", async () => {
  await using api = await start();
  await call(api, "POST", deployments, workload("web", 1, { progressDeadlineSeconds: 30 }));
  const progress = async () => {
    const { body } = await call(api, "GET", `${deployments}/web`);
    return body.status.conditions.find(({ type }: Json) => type === "Progressing").reason;
  };
  await api.clock.advance(29_000);
  expect(await progress()).toBe("ReplicaSetUpdated");
  await api.clock.advance(3_000);
  expect(await progress()).toBe("ProgressDeadlineExceeded");
});

it("ES22: Recreate waits until the old pods are gone", async () => {
  await using api = await start({ controllers: true, stages: runPods({ stopAfterMs: 5_000 }) });
  await call(api, "POST", deployments, workload("web", 2, { strategy: { type: "Recreate" } }));
  await api.clock.advance(2_000);
  const old = await names(api, pods);
  await call(
    api,
    "PATCH",
    `${deployments}/web`,
    { spec: { template: { metadata: { labels: { v: "2" } } } } },
    mergePatch,
  );
  await api.clock.advance(4_000);
  expect(await names(api, pods)).toEqual(old);
  await api.clock.advance(2_000);
  const made = await names(api, pods);
  expect(made).toHaveLength(2);
  expect(made.some((name) => old.includes(name))).toBe(false);
});

it("ES22: a paused Deployment creates no new ReplicaSet until it is resumed", async () => {
  await using api = await start();
  await call(api, "POST", deployments, workload("web", 1, { paused: true }));
  await rest(api);
  expect(await items(api, replicaSets)).toEqual([]);
  await call(api, "PATCH", `${deployments}/web`, { spec: { paused: false } }, mergePatch);
  await rest(api);
  expect(await items(api, pods)).toHaveLength(1);
});

it("ES22: scaling during a rollout distributes replicas in proportion to size", async () => {
  await using api = await start({
    controllers: true,
    stages: runPods({ when: ({ metadata }) => metadata.labels?.["v"] !== "2" }),
  });
  await call(
    api,
    "POST",
    deployments,
    workload("web", 8, { strategy: { rollingUpdate: { maxSurge: 2, maxUnavailable: 2 } } }),
  );
  await api.clock.advance(3_000);
  await call(
    api,
    "PATCH",
    `${deployments}/web`,
    { spec: { template: { metadata: { labels: { v: "2" } } } } },
    mergePatch,
  );
  await api.clock.advance(3_000);
  const sizes = async () =>
    (await items(api, replicaSets)).map(({ spec }) => spec.replicas).sort((a, b) => a - b);
  expect(await sizes()).toEqual([4, 6]);
  await call(api, "PATCH", `${deployments}/web`, { spec: { replicas: 18 } }, mergePatch);
  await rest(api);
  expect(await sizes()).toEqual([8, 12]);
});

it("ES22: deletes old ReplicaSets beyond the revision history limit", async () => {
  await using api = await start({ controllers: true, stages: runPods() });
  await call(api, "POST", deployments, workload("web", 1, { revisionHistoryLimit: 1 }));
  for (const v of ["1", "2", "3"]) {
    await api.clock.advance(10_000);
    await call(
      api,
      "PATCH",
      `${deployments}/web`,
      { spec: { template: { metadata: { labels: { v } } } } },
      mergePatch,
    );
  }
  await api.clock.advance(10_000);
  const revisions = (await items(api, replicaSets)).map(
    ({ metadata }) => metadata.annotations["deployment.kubernetes.io/revision"],
  );
  expect(revisions.sort()).toEqual(["3", "4"]);
});

it("ES22: a ReplicaSet adopts matching pods, and replaces finished ones", async () => {
  await using api = await start();
  await call(api, "POST", pods, {
    metadata: { name: "free", labels: { app: "web" } },
    spec: { containers },
  });
  await call(api, "POST", replicaSets, workload("web", 2));
  await rest(api);
  const seen = await items(api, pods);
  expect(seen).toHaveLength(2);
  expect(seen.every(({ metadata }) => metadata.ownerReferences[0].name === "web")).toBe(true);
  await call(api, "PATCH", `${pods}/free/status`, { status: { phase: "Failed" } }, mergePatch);
  await rest(api);
  expect(await items(api, pods)).toHaveLength(3);
});

it("ES22: a StatefulSet creates its pods in order and deletes them from the last one", async () => {
  await using api = await start({ controllers: true, stages: runPods() });
  const sets = deployments.replace("deployments", "statefulsets");
  await call(api, "POST", sets, workload("db", 3, { serviceName: "db" }));
  await rest(api);
  expect(await names(api, pods)).toEqual(["db-0"]);
  await api.clock.advance(2_500);
  expect(await names(api, pods)).toEqual(["db-0", "db-1", "db-2"]);
  await api.clock.advance(5_000);
  await call(api, "PATCH", `${sets}/db`, { spec: { replicas: 1 } }, mergePatch);
  await api.clock.advance(1_000);
  expect(await names(api, pods)).toEqual(["db-0"]);
  await call(
    api,
    "PATCH",
    `${sets}/db`,
    { spec: { template: { metadata: { labels: { v: "2" } } } } },
    mergePatch,
  );
  await api.clock.advance(5_000);
  const [pod] = await items(api, pods);
  expect(pod.metadata.labels["v"]).toBe("2");
  const { status } = (await call(api, "GET", `${sets}/db`)).body;
  expect([status.readyReplicas, status.updatedReplicas, status.currentRevision]).toEqual([
    1,
    1,
    status.updateRevision,
  ]);
});

it("ES22: a DaemonSet maintains a pod on each selected node", async () => {
  await using api = await start({ controllers: true, stages: runPods() });
  const sets = deployments.replace("deployments", "daemonsets");
  for (const name of ["n1", "n2"]) {
    await call(api, "POST", "/api/v1/nodes", { metadata: { name } });
  }
  const { replicas: _, ...spec } = workload("log", 1).spec;
  await call(api, "POST", sets, { metadata: { name: "log" }, spec });
  await api.clock.advance(2_000);
  const nodes = async () => (await items(api, pods)).map((pod) => pod.spec.nodeName).sort();
  expect(await nodes()).toEqual(["n1", "n2", "node-1"]);
  await call(api, "DELETE", "/api/v1/nodes/n2");
  await api.clock.advance(2_000);
  expect(await nodes()).toEqual(["n1", "node-1"]);
  expect((await call(api, "GET", `${sets}/log`)).body.status.numberReady).toBe(2);
});

it("ES22: handles simultaneous changes together: 200 pods become ready with one or two ReplicaSet updates", async () => {
  await using api = await start({ controllers: { replicaSets: true }, stages: runPods() });
  await call(api, "POST", replicaSets, workload("web", 200));
  await rest(api);
  const writes = async () =>
    Number(api.resourceVersion) - (await items(api, "/api/v1/events")).length;
  const before = await writes();
  await api.clock.advance(1_000);
  expect((await writes()) - before).toBeLessThanOrEqual(202);
  const [set] = await items(api, replicaSets);
  expect(set.status.availableReplicas).toBe(200);
});
