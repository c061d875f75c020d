import { startApiServer } from "@typekube/apiserver";
import { runPods } from "@typekube/apiserver/controllers";
import { conditions, type KubeError, mergePatch } from "typekube";
import { DaemonSet, Deployment, StatefulSet } from "typekube/api/apps/v1";
import { ConfigMap, Node, Pod } from "typekube/api/core/v1";
import { PodDisruptionBudget } from "typekube/api/policy/v1";
import {
  cordon,
  type DrainProgress,
  drain,
  restart,
  topNodes,
  topPods,
  uncordon,
} from "typekube/lifecycle";
import { describe, expect, it } from "vitest";

const labels = { app: "web" };
const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
const workload = { selector: { matchLabels: labels }, template };
const deployment = { metadata: { name: "web" }, spec: { replicas: 2, ...workload } };

/** Returns whether the condition holds for an object, or the error message when it never will. */
function verdict(object: object): unknown {
  const metadata = { name: "web", generation: 2 };
  try {
    return conditions.rolledOut()({ metadata, ...object } as never);
  } catch (error) {
    return (error as KubeError).rawMessage;
  }
}

describe("conditions.rolledOut", () => {
  const done = { replicas: 2, updatedReplicas: 2, availableReplicas: 2, observedGeneration: 2 };
  it.each([
    ["done", done, true],
    ["an older generation", { ...done, observedGeneration: 1 }, false],
    ["too few updated replicas", { ...done, updatedReplicas: 1 }, false],
    ["remaining old replicas", { ...done, replicas: 3 }, false],
    ["updated replicas that are unavailable", { ...done, availableReplicas: 1 }, false],
    ["no status yet", undefined, false],
    [
      "an exceeded progress deadline",
      {
        ...done,
        conditions: [{ type: "Progressing", reason: "ProgressDeadlineExceeded", message: "late" }],
      },
      'Deployment "web" exceeded its progress deadline: late',
    ],
  ])("reports the rollout of a Deployment with %s", (_what, status, expected) => {
    expect(verdict({ kind: "Deployment", spec: { replicas: 2 }, status })).toBe(expected);
  });

  const set = {
    observedGeneration: 2,
    readyReplicas: 3,
    updatedReplicas: 3,
    currentRevision: "a",
    updateRevision: "a",
  };
  it.each([
    ["done", {}, set, true],
    ["pods that are not ready", {}, { ...set, readyReplicas: 2 }, false],
    ["an old revision, not yet replaced", {}, { ...set, currentRevision: "old" }, false],
    [
      "a partition that is reached",
      { rollingUpdate: { partition: 2 } },
      { ...set, updatedReplicas: 1, currentRevision: "old" },
      true,
    ],
    [
      "a partition that is not reached",
      { rollingUpdate: { partition: 1 } },
      { ...set, updatedReplicas: 1 },
      false,
    ],
    ["no status yet", {}, { ...set, observedGeneration: 0 }, false],
    [
      "OnDelete",
      { type: "OnDelete" },
      set,
      'StatefulSet "web" has the update strategy OnDelete, which does not roll out changes',
    ],
  ])("reports the rollout of a StatefulSet with %s", (_what, updateStrategy, status, expected) => {
    expect(verdict({ kind: "StatefulSet", spec: { replicas: 3, updateStrategy }, status })).toBe(
      expected,
    );
  });

  const daemons = {
    observedGeneration: 2,
    desiredNumberScheduled: 2,
    updatedNumberScheduled: 2,
    numberAvailable: 2,
  };
  it.each([
    ["done", daemons, true],
    ["nodes without an updated pod", { ...daemons, updatedNumberScheduled: 1 }, false],
    ["pods that are unavailable", { ...daemons, numberAvailable: 1 }, false],
  ])("reports the rollout of a DaemonSet with %s", (_what, status, expected) => {
    expect(verdict({ kind: "DaemonSet", spec: {}, status })).toBe(expected);
  });

  it("rejects kinds without rollouts", () => {
    expect(verdict({ kind: "ConfigMap" })).toContain('ConfigMap "web" has no rollouts');
  });

  it("does not hold while old pods serve after the controller has seen a change, unlike available()", () => {
    const deploymentInRollout = {
      kind: "Deployment",
      metadata: { name: "web", generation: 2 },
      spec: { replicas: 2 },
      status: {
        ...done,
        updatedReplicas: 0,
        conditions: [{ type: "Available", status: "True" }],
      },
    };
    expect(conditions.available()(deploymentInRollout as never)).toBe(true);
    expect(verdict(deploymentInRollout)).toBe(false);
  });

  it("holds once the Deployment controller has replaced all pods", async () => {
    await using api = await startApiServer({
      controllers: true,
      stages: runPods({ readyAfterMs: 0 }),
      clock: "virtual",
    });
    await using client = await api.client();
    const deployments = client.resource(Deployment, "default");
    await deployments.create(deployment);
    await api.settled();
    const image = { spec: { template: { spec: { containers: [{ name: "c", image: "new" }] } } } };
    const changed = await deployments.patch("web", mergePatch(image));
    expect(conditions.rolledOut()(changed)).toBe(false);
    const rolled = deployments.waitFor("web", conditions.rolledOut());
    await api.settled();
    const { status } = (await rolled) ?? {};
    expect([status?.updatedReplicas, status?.replicas]).toEqual([2, 2]);
  });
});

describe("restart", () => {
  it("replaces the pods of a Deployment, StatefulSet and DaemonSet by kubectl's annotation", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    await using client = await api.client();
    await client.resource(Deployment, "default").create(deployment);
    await client
      .resource(StatefulSet, "default")
      .create({ ...deployment, spec: { serviceName: "web", ...deployment.spec } });
    await client
      .resource(DaemonSet, "default")
      .create({ metadata: { name: "web" }, spec: workload });
    for (const type of [Deployment, StatefulSet, DaemonSet]) {
      const { metadata, spec } = await restart(client, type as typeof Deployment, "web", {
        namespace: "default",
      });
      const at = spec?.template.metadata?.annotations?.["kubectl.kubernetes.io/restartedAt"];
      expect(at).toBe(new Date(api.clock.now()).toISOString().replace(/\.\d+Z$/, "Z"));
      expect([metadata.generation, spec?.template.metadata?.labels]).toEqual([2, labels]);
    }
  });

  it("rejects a paused Deployment, which would replace no pods", async () => {
    await using api = await startApiServer();
    await using client = await api.client();
    await client
      .resource(Deployment, "default")
      .create({ ...deployment, spec: { paused: true, ...deployment.spec } });
    await expect(restart(client, Deployment, "web", { namespace: "default" })).rejects.toThrow(
      'Deployment "web" is paused and cannot be restarted: resume it first',
    );
  });
});

it("cordon marks a node as unschedulable, uncordon reverts that", async () => {
  await using api = await startApiServer();
  await using client = await api.client();
  await client.resource(Node).create({ metadata: { name: "n" } });
  expect((await cordon(client, "n")).spec?.unschedulable).toBe(true);
  expect((await cordon(client, "n")).spec?.unschedulable).toBe(true);
  expect((await uncordon(client, "n")).spec?.unschedulable).toBeUndefined();
  await expect(cordon(client, "none")).rejects.toMatchObject({ code: "NotFound" });
});

describe("drain", () => {
  const owner = (kind: string) => [
    { apiVersion: "apps/v1", kind, name: "own", uid: "1", controller: true },
  ];
  async function node(pods: Readonly<Record<string, object>>) {
    const api = await startApiServer();
    const client = await api.client();
    await client.resource(Node).create({ metadata: { name: "n" } });
    for (const [name, { metadata, spec }] of Object.entries(pods) as [
      string,
      { metadata?: object; spec?: object },
    ][]) {
      await client.resource(Pod, "default").create({
        metadata: { name, ...metadata },
        spec: {
          nodeName: "n",
          terminationGracePeriodSeconds: 0,
          containers: [{ name: "c", image: "i" }],
          ...spec,
        },
      });
    }
    return { api, client, [Symbol.asyncDispose]: () => api.close() };
  }

  it("names every pod that blocks it, and evicts none", async () => {
    await using server = await node({
      bare: {},
      daemon: { metadata: { ownerReferences: owner("DaemonSet") } },
      data: {
        metadata: { ownerReferences: owner("ReplicaSet") },
        spec: { volumes: [{ name: "v", emptyDir: {} }] },
      },
      fine: { metadata: { ownerReferences: owner("ReplicaSet") } },
    });
    const error = await drain(server.client, "n").catch((caught: KubeError) => caught);
    expect((error as KubeError).code).toBe("NeverMet");
    expect((error as KubeError).rawMessage).toBe(
      'the node "n" is cordoned but was not drained: default/bare is without a controller that recreates it (force evicts it); ' +
        "default/daemon is managed by a DaemonSet (ignoreDaemonSets leaves it); " +
        "default/data is with data in an emptyDir (deleteEmptyDirData evicts it)",
    );
    expect((await server.client.resource(Pod).list()).items).toHaveLength(4);
    expect((await server.client.resource(Node).get("n")).spec?.unschedulable).toBe(true);
  });

  it("evicts what the rules allow, reports each step, and leaves DaemonSet pods, static pods and other nodes", async () => {
    await using server = await node({
      bare: {},
      daemon: { metadata: { ownerReferences: owner("DaemonSet") } },
      data: {
        metadata: { ownerReferences: owner("ReplicaSet") },
        spec: { volumes: [{ name: "v", emptyDir: {} }] },
      },
      mirror: { metadata: { annotations: { "kubernetes.io/config.mirror": "x" } } },
      elsewhere: { spec: { nodeName: "other" } },
    });
    const steps: DrainProgress[] = [];
    const removed = await drain(server.client, "n", {
      ignoreDaemonSets: true,
      deleteEmptyDirData: true,
      force: true,
      onProgress: (step) => steps.push(step),
    });
    expect(removed.map(({ metadata }) => metadata.name).sort()).toEqual(["bare", "data"]);
    const left = (await server.client.resource(Pod).list()).items;
    expect(left.map(({ metadata }) => metadata.name).sort()).toEqual([
      "daemon",
      "elsewhere",
      "mirror",
    ]);
    expect(steps.map(({ type }) => type).sort()).toEqual([
      "cordoned",
      "evicted",
      "evicted",
      "evicting",
      "evicting",
      "gone",
      "gone",
      "skipped",
      "skipped",
    ]);
    expect(steps.findLast(({ type }) => type === "gone")).toMatchObject({ remaining: 0 });
  });

  it("waits for disruption budgets, and names the one that does not allow an eviction in time", async () => {
    await using api = await startApiServer({
      controllers: true,
      stages: runPods({ readyAfterMs: 0 }),
    });
    await using client = await api.client();
    await client.resource(Deployment, "default").create(deployment);
    const budgets = client.resource(PodDisruptionBudget, "default");
    await budgets.create({
      metadata: { name: "web" },
      spec: { minAvailable: 2, selector: { matchLabels: labels } },
    });
    await client.resource(Deployment, "default").waitFor("web", conditions.rolledOut());
    await api.settled();
    const late = await drain(client, "node-1", { timeoutMs: 100 }).catch(
      (error: KubeError) => error,
    );
    expect((late as KubeError).message).toContain("The disruption budget web needs 2 healthy pods");
    await budgets.patch("web", mergePatch({ spec: { minAvailable: 1 } }));
    await api.settled();
    expect(await drain(client, "node-1")).toHaveLength(2);
  });

  it("ends with the signal's reason", async () => {
    await using server = await node({ bare: {} });
    const controller = new AbortController();
    const reason = new Error("enough");
    const draining = drain(server.client, "n", {
      force: true,
      signal: controller.signal,
      onProgress: ({ type }) => type === "evicting" && controller.abort(reason),
    });
    await expect(draining).rejects.toBe(reason);
  });
});

describe("top", () => {
  it("sums up containers and sorts by CPU; nodes have their share", async () => {
    const metrics = {
      nodes: {
        items: [
          { metadata: { name: "n" }, usage: { cpu: "500m", memory: "1Gi" } },
          { metadata: { name: "gone" }, usage: { cpu: "1", memory: "1" } },
        ],
      },
      pods: {
        items: [
          {
            metadata: { name: "a", namespace: "x" },
            containers: [{ name: "c", usage: { cpu: "1000000n", memory: "10Ki" } }],
          },
          {
            metadata: { name: "b", namespace: "x" },
            containers: [
              { name: "c", usage: { cpu: "100m", memory: "1Mi" } },
              { name: "d", usage: { cpu: "50m", memory: "1Mi" } },
            ],
          },
        ],
      },
    };
    await using api = await startApiServer();
    await using client = await api.client();
    const lists: Readonly<Record<string, object>> = {
      NodeMetrics: metrics.nodes,
      PodMetrics: metrics.pods,
    };
    await client.resource(Node).create({ metadata: { name: "n" }, status: {} });
    await client
      .resource(Node)
      .status.patch("n", mergePatch({ status: { allocatable: { cpu: "2", memory: "4Gi" } } }));
    const withMetrics = new Proxy(client, {
      get: (target, key) =>
        key === "resource"
          ? (type: { kind: string }, ...rest: []) => {
              const list = lists[type.kind];
              return list ? { list: async () => list } : target.resource(type as never, ...rest);
            }
          : Reflect.get(target, key, target),
    });
    expect(await topNodes(withMetrics)).toEqual([
      { name: "gone", cpu: 1, memory: 1, share: undefined },
      { name: "n", cpu: 0.5, memory: 1024 ** 3, share: { cpu: 0.25, memory: 0.25 } },
    ]);
    expect(
      (await topPods(withMetrics)).map(({ name, cpu, memory }) => [name, cpu, memory]),
    ).toEqual([
      ["b", 0.15000000000000002, 2 * 1024 ** 2],
      ["a", 0.001, 10 * 1024],
    ]);
  });

  it("reports a missing metrics server", async () => {
    await using api = await startApiServer();
    await using client = await api.client();
    await client.resource(ConfigMap, "default").list();
    await expect(topPods(client)).rejects.toThrow(
      "[NotFound] the cluster does not serve metrics.k8s.io/v1beta1: install metrics-server",
    );
  });
});
