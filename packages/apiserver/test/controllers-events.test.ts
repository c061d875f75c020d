import { ConfigMap } from "@typekube/api/core/v1";
import { runPods, stage } from "@typekube/apiserver/controllers";
import {
  call,
  configMaps,
  deployments,
  type Json,
  mergePatch,
  pods,
} from "@typekube/test-support/api-calls";
import { describe, expect, it } from "vitest";
import {
  containers,
  items,
  jobs,
  rest,
  type Server,
  start,
  workload,
} from "./controlled-server.js";

const events = "/api/v1/namespaces/default/events";
const all = { controllers: true, stages: runPods({ readyAfterMs: 0 }) };

/** Returns the Events about a kind: source, reason and message, without the random parts of names. */
async function received(api: Server, kind: string): Promise<string[]> {
  return (await items(api, events))
    .filter((event: Json) => event.involvedObject.kind === kind)
    .map(({ source, reason, message }: Json) => `${source.component} ${reason}: ${message}`)
    .map((text) => text.replace(/web-[a-z0-9]{8,10}(-[a-z0-9]{5})?/g, "web-*"));
}

describe("controllers record Events in the namespace of the object", () => {
  it("of a Deployment, its ReplicaSet and its pods", async () => {
    await using api = await start(all);
    await call(api, "POST", deployments, workload("web", 1));
    await api.settled();
    await call(api, "PATCH", `${deployments}/web`, { spec: { replicas: 0 } }, mergePatch);
    await api.settled();
    expect(await received(api, "Deployment")).toEqual([
      "deployment-controller ScalingReplicaSet: Scaled up replica set web-* from 0 to 1",
      "deployment-controller ScalingReplicaSet: Scaled down replica set web-* from 1 to 0",
    ]);
    expect(await received(api, "ReplicaSet")).toEqual([
      "replicaset-controller SuccessfulCreate: Created pod: web-*",
      "replicaset-controller SuccessfulDelete: Deleted pod: web-*",
    ]);
    expect(await received(api, "Pod")).toEqual([
      "default-scheduler Scheduled: Successfully assigned default/web-* to node-1",
      'kubelet Pulled: Container image "registry.k8s.io/pause:3.10" already present on machine',
      "kubelet Created: Container created",
      "kubelet Started: Container started",
      "kubelet Killing: Stopping container main",
    ]);
  });

  it("a Job gets an Event for its pod and one for its completion", async () => {
    await using api = await start(all);
    const template = { spec: { containers, restartPolicy: "Never" } };
    await call(api, "POST", jobs, { metadata: { name: "j" }, spec: { template } });
    await api.clock.advance(5_000);
    const texts = await received(api, "Job");
    expect(texts[0]).toMatch(/^job-controller SuccessfulCreate: Created pod: j-[a-z0-9]{5}$/);
    expect(texts.slice(1)).toEqual(["job-controller Completed: Job completed"]);
  });

  it.each([
    [
      "replicasets",
      "ReplicaSet",
      "replicaset-controller",
      /^Error creating: pods "w-[a-z0-9]{5}" is forbidden/,
    ],
    ["daemonsets", "DaemonSet", "daemonset-controller", /^Error creating: /],
    [
      "statefulsets",
      "StatefulSet",
      "statefulset-controller",
      /^Create Pod w-0 in StatefulSet w failed error: /,
    ],
  ])("of pods that the server rejects: %s", async (plural, kind, component, message) => {
    await using api = await start(all);
    const quota = { metadata: { name: "q" }, spec: { hard: { pods: "0" } } };
    await call(api, "POST", "/api/v1/namespaces/default/resourcequotas", quota);
    await api.settled();
    const { replicas: _, ...spec } = workload("w", 1).spec;
    const path = deployments.replace("deployments", plural);
    const made = await call(api, "POST", path, { metadata: { name: "w" }, spec });
    expect(made.status, made.text).toBe(201);
    await api.settled();
    const found = (await items(api, events)).filter(
      ({ involvedObject }: Json) => involvedObject.kind === kind,
    );
    expect(found[0]).toMatchObject({
      type: "Warning",
      reason: "FailedCreate",
      message: expect.stringMatching(message),
      source: { component },
    });
  });

  it("a repeated Event increases the count of the first one", async () => {
    await using api = await start(all);
    const path = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
    const selector = { matchLabels: { app: "none" } };
    await call(api, "POST", path, { metadata: { name: "b" }, spec: { minAvailable: 1, selector } });
    await api.settled();
    await api.clock.advance(10_000);
    await call(api, "PATCH", `${path}/b`, { spec: { minAvailable: 2 } }, mergePatch);
    await api.settled();
    const found = (await items(api, events)).filter(({ reason }: Json) => reason === "NoPods");
    expect(found).toHaveLength(1);
    expect(found[0].count).toBeGreaterThan(1);
    expect(Date.parse(found[0].lastTimestamp) - Date.parse(found[0].firstTimestamp)).toBe(10_000);
  });

  it("of a custom stage, but not in a namespace that is being deleted", async () => {
    const mark = stage(ConfigMap, {
      when: ({ data }) => data?.["seen"] === undefined,
      set: () => ({ data: { seen: "yes" } }),
      events: ({ metadata: { name } }) => [{ reason: "Seen", message: `saw ${name}` }],
    });
    await using api = await start({ stages: [mark], controllers: { namespaces: false } });
    await call(api, "POST", configMaps, { metadata: { name: "a" } });
    await api.settled();
    expect(await received(api, "ConfigMap")).toEqual(["stages Seen: saw a"]);
    await call(api, "POST", "/api/v1/namespaces", { metadata: { name: "going" } });
    await call(api, "POST", "/api/v1/namespaces/going/configmaps", { metadata: { name: "a" } });
    await call(api, "DELETE", "/api/v1/namespaces/going");
    await api.settled();
    const { body } = await call(api, "GET", "/api/v1/namespaces/going/configmaps/a");
    expect(body.data).toEqual({ seen: "yes" });
    expect(await items(api, "/api/v1/namespaces/going/events")).toEqual([]);
  });

  it("do not make a server unsteady, unlike other writes", async () => {
    await using api = await start(all);
    await call(api, "POST", deployments, workload("web", 1));
    expect(await api.isSteady({ ticks: 3, tickMs: 3_600_000 })).toBe(true);
    expect(await items(api, events)).toEqual([]);
    const count = stage(ConfigMap, {
      after: 60_000,
      set: ({ data }) => ({ data: { count: `${data?.["count"] ?? ""}x` } }),
    });
    await using busy = await start({ stages: [count] });
    await call(busy, "POST", configMaps, { metadata: { name: "a" } });
    expect(await busy.isSteady()).toBe(false);
  });
});

describe("the Node that pods run on exists", () => {
  it.each(["node-1", "n"])("as %s, ready and without taints", async (node) => {
    await using api = await start({ stages: runPods({ node }) });
    const [found, ...none] = await items(api, "/api/v1/nodes");
    expect([found.metadata.name, none]).toEqual([node, []]);
    expect(found.spec.taints).toBeUndefined();
    const ready = found.status.conditions.find(({ type }: Json) => type === "Ready");
    expect(ready.status).toBe("True");
    await call(api, "POST", pods, { metadata: { name: "p" }, spec: { containers } });
    await api.clock.advance(2_000);
    const [pod] = await items(api, pods);
    expect([pod.spec.nodeName, pod.status.hostIP]).toEqual([
      node,
      found.status.addresses[0].address,
    ]);
  });

  it("once, in a fork and after loading a dump", async () => {
    await using api = await start(all);
    await using fork = api.fork() as Server;
    await rest(fork);
    expect(await items(fork, "/api/v1/nodes")).toHaveLength(1);
    await using again = await start({ ...all, load: await api.dump() });
    expect(await items(again, "/api/v1/nodes")).toHaveLength(1);
  });

  it("Events of the kubelet are recorded only with the stages of runPods", async () => {
    await using api = await start({ controllers: true });
    expect(await items(api, "/api/v1/nodes")).toEqual([]);
  });
});

it.each([
  ["Never", "Succeeded"],
  ["OnFailure", "Succeeded"],
  ["Always", "Running"],
])("a bare pod with restartPolicy %s ends up %s", async (restartPolicy, phase) => {
  await using api = await start({ stages: runPods() });
  await call(api, "POST", pods, { metadata: { name: "p" }, spec: { containers, restartPolicy } });
  await api.clock.advance(5_000);
  const { status } = (await call(api, "GET", `${pods}/p`)).body;
  expect(status.phase).toBe(phase);
  const [{ state }] = status.containerStatuses;
  expect(state.terminated?.exitCode).toBe(phase === "Succeeded" ? 0 : undefined);
});

it("warns that an autoscaler has no effect, with and without controllers", async () => {
  const path = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
  const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
  const body = { metadata: { name: "a" }, spec: { maxReplicas: 3, scaleTargetRef } };
  await using api = await start({ controllers: { replicaSets: true } });
  expect((await call(api, "POST", path, body)).headers["warning"]).toMatch(/has no effect/);
  await using bare = await start({});
  expect((await call(bare, "POST", path, body)).headers["warning"]).toMatch(/has no effect/);
});

it("a ReplicationController maintains its pods, adopts matching ones, and can be scaled", async () => {
  await using api = await start(all);
  const path = "/api/v1/namespaces/default/replicationcontrollers";
  const labels = { app: "web" };
  await call(api, "POST", pods, { metadata: { name: "free", labels }, spec: { containers } });
  const template = { metadata: { labels }, spec: { containers } };
  await call(api, "POST", path, { metadata: { name: "web" }, spec: { replicas: 3, template } });
  await api.settled();
  expect(await items(api, pods)).toHaveLength(3);
  const { body } = await call(api, "GET", `${path}/web`);
  expect(body.status).toEqual({
    availableReplicas: 3,
    fullyLabeledReplicas: 3,
    observedGeneration: 1,
    readyReplicas: 3,
    replicas: 3,
  });
  await call(api, "PATCH", `${path}/web/scale`, { spec: { replicas: 1 } }, mergePatch);
  await api.settled();
  expect(await items(api, pods)).toHaveLength(1);
  await call(api, "DELETE", `${path}/web?propagationPolicy=Background`);
  await api.settled();
  expect(await items(api, pods)).toEqual([]);
});
