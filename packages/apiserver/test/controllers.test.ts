import { runPods } from "@typekube/apiserver/controllers";
import { call, deployments, mergePatch, pods, watch } from "@typekube/test-support/api-calls";
import { expect, it } from "vitest";
import { readServeOptions } from "../src/serve/serve-options.js";
import {
  items,
  names,
  replicaSets,
  rest,
  type Server,
  start,
  workload,
} from "./controlled-server.js";

it("ES22: without controllers, a server creates nothing on its own", async () => {
  await using api = await start({});
  await call(api, "POST", deployments, workload("web", 2));
  await api.clock.advance(60_000);
  expect(await items(api, replicaSets)).toEqual([]);
  expect(await items(api, "/api/v1/serviceaccounts")).toEqual([]);
});

it("ES22: each controller can be enabled alone", async () => {
  await using api = await start({ controllers: { deployments: true } });
  await call(api, "POST", deployments, workload("web", 2));
  await rest(api);
  expect(await items(api, replicaSets)).toHaveLength(1);
  expect(await items(api, pods)).toEqual([]);
  expect(await items(api, "/api/v1/serviceaccounts")).toEqual([]);
});

it("ES22: the same seed gives the same names, uids and resourceVersions", async () => {
  const run = async () => {
    await using api = await start({ controllers: true, stages: runPods(), seed: 7 });
    await call(api, "POST", deployments, workload("web", 3));
    await api.clock.advance(10_000);
    const seen = await items(api, pods);
    return [api.resourceVersion, ...seen.map(({ metadata }) => `${metadata.name} ${metadata.uid}`)];
  };
  const first = await run();
  expect(await run()).toEqual(first);
  expect(first).toHaveLength(4);
});

it("ES22: watchers see the controllers' writes, with the manager's name", async () => {
  await using api = await start();
  const seen = await watch(api, `${pods}?watch=1`);
  await call(api, "POST", deployments, workload("web", 1));
  await api.settled();
  const { type, object } = await seen.next();
  expect(type).toBe("ADDED");
  expect(object.metadata.managedFields[0].manager).toBe("kube-controller-manager");
  await seen.stop();
});

it("ES22: controllers end with the server and leave no timers", async () => {
  const api = await start({ controllers: true, stages: runPods({ readyAfterMs: 60_000 }) });
  await call(api, "POST", deployments, workload("web", 2));
  await rest(api);
  expect(api.clock.pending).toBeGreaterThan(0);
  await api.close();
  expect(api.clock.pending).toBe(0);
});

it("ES22: Events are deleted an hour after their last write, Leases stay", async () => {
  await using api = await start();
  const event = {
    metadata: { name: "e" },
    involvedObject: { namespace: "default" },
    reason: "Seen",
  };
  const events = "/api/v1/namespaces/default/events";
  expect((await call(api, "POST", events, event)).status).toBe(201);
  const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  await call(api, "POST", leases, { metadata: { name: "l" }, spec: { leaseDurationSeconds: 15 } });
  await api.clock.advance(3_000_000);
  await call(api, "PATCH", `${events}/e`, { reason: "SeenAgain" }, mergePatch);
  await api.clock.advance(3_000_000);
  expect(await names(api, events)).toEqual(["e"]);
  await api.clock.advance(700_000);
  expect(await names(api, events)).toEqual([]);
  expect(await names(api, leases)).toEqual(["l"]);
});

it("ES24: controllers' work counts as work in progress until it is done", async () => {
  await using api = await start({ controllers: true });
  await call(api, "POST", deployments, workload("web", 2));
  await api.settled();
  expect(await items(api, pods)).toHaveLength(2);
});

it("ES22: a fork has its own controllers, which know the existing objects", async () => {
  await using api = await start({ controllers: true, stages: runPods() });
  await call(api, "POST", deployments, workload("web", 1));
  await api.clock.advance(5_000);
  await using fork = api.fork() as Server;
  await call(fork, "PATCH", `${deployments}/web`, { spec: { replicas: 3 } }, mergePatch);
  await fork.clock.advance(5_000);
  expect(await items(fork, pods)).toHaveLength(3);
  await call(fork, "DELETE", `${deployments}/web`);
  await fork.settled();
  await fork.clock.advance(1_000);
  expect([await items(fork, pods), await items(api, pods)].map(({ length }) => length)).toEqual([
    0, 1,
  ]);
});

it("ES22: controllers react to changes after a restore", async () => {
  await using api = await start({ controllers: true });
  await call(api, "POST", deployments, workload("web", 1));
  await api.settled();
  const before = api.snapshot();
  await call(api, "DELETE", `${deployments}/web`);
  await api.settled();
  expect(await items(api, pods)).toEqual([]);
  api.restore(before);
  const [pod] = await items(api, pods);
  await call(api, "DELETE", `${pods}/${pod.metadata.name}`);
  await api.settled();
  expect(await items(api, pods)).toHaveLength(1);
});

it("ES22: typekube serve runs controllers with --controllers", () => {
  expect(readServeOptions([])?.controllers).toBe(false);
  expect(readServeOptions(["--controllers"])?.controllers).toBe(true);
});

it("ES22: typekube serve runs pods, unless it has no node", () => {
  expect(readServeOptions([])?.runsPods).toBe(true);
  expect(readServeOptions(["--no-node"])?.runsPods).toBe(false);
});

it("ES10: an annotation written through the status of a Deployment does not change the generation", async () => {
  await using api = await start({});
  await call(api, "POST", deployments, workload("web", 1));
  const metadata = { annotations: { a: "b" } };
  await call(api, "PATCH", `${deployments}/web/status`, { metadata }, mergePatch);
  const { body } = await call(api, "GET", `${deployments}/web`);
  expect([body.metadata.annotations, body.metadata.generation]).toEqual([{ a: "b" }, 1]);
});
