import assert from "node:assert/strict";
import type { Pod } from "@typekube/api/core/v1";
import type { PodDisruptionBudget } from "@typekube/api/policy/v1";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { pod } from "../support/objects.js";
import { accepted, type RawCollection, rawCollection, refused } from "../support/raw-collection.js";

const labels = { app: "x" };

function collections(context: ConformanceContext) {
  return {
    pods: rawCollection(context, "/api/v1/%/pods"),
    budgets: rawCollection(context, "/apis/policy/v1/%/poddisruptionbudgets"),
  };
}

/** Creates a running pod on a node. */
async function running(pods: RawCollection, name: string, isReady = true): Promise<void> {
  const { spec } = pod(name);
  await accepted(pods.post("", { metadata: { name, labels }, spec: { ...spec, nodeName: "n" } }));
  const conditions = [{ type: "Ready", status: isReady ? "True" : "False" }];
  await accepted(pods.merge(`/${name}/status`, { status: { phase: "Running", conditions } }));
}

function evict(pods: RawCollection, name: string, deleteOptions?: object) {
  const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name }, deleteOptions };
  return pods.post(`/${name}/eviction`, eviction);
}

async function budget(budgets: RawCollection, name: string, more: object = {}): Promise<void> {
  const spec = { minAvailable: 1, selector: { matchLabels: labels }, ...more };
  await accepted(budgets.post("", { metadata: { name }, spec }));
}

function counted(budgets: RawCollection, name: string, status: object) {
  const seen = { observedGeneration: 1, desiredHealthy: 1, currentHealthy: 1, expectedPods: 2 };
  return accepted(budgets.merge(`/${name}/status`, { status: { ...seen, ...status } }));
}

async function isGoing(pods: RawCollection, name: string): Promise<boolean> {
  const { metadata } = await accepted<Pod>(pods.get(`/${name}`));
  return metadata?.deletionTimestamp !== undefined;
}

const held = (message: string) => ({ causes: [{ reason: "DisruptionBudget", message }] });

/** Cases for draining nodes and scheduling. */
export const evictionsAndBindings: readonly ConformanceCase[] = [
  {
    id: "evict-condition",
    name: "an evicted pod gets a DisruptionTarget condition that no manager owns",
    async run(context) {
      const { pods } = collections(context);
      await running(pods, "a");
      await accepted(evict(pods, "a", { dryRun: ["All"] }));
      assert.equal(await isGoing(pods, "a"), false);
      await accepted(evict(pods, "a"));
      const { metadata, status } = await accepted<Pod>(pods.get("/a"));
      const [, why] = status?.conditions ?? [];
      assert.deepEqual(
        { ...why, lastTransitionTime: undefined },
        {
          type: "DisruptionTarget",
          status: "True",
          lastProbeTime: null,
          lastTransitionTime: undefined,
          reason: "EvictionByEvictionAPI",
          message: "Eviction API: evicting",
        },
      );
      assert.equal(metadata?.deletionGracePeriodSeconds, 30);
      assert.ok(!JSON.stringify(metadata?.managedFields).includes("DisruptionTarget"));
    },
  },
  {
    id: "evict-budget-spent",
    name: "an eviction decrements the budget as the server's write; an exhausted budget responds with an error",
    async run(context) {
      const { pods, budgets } = collections(context);
      await running(pods, "a");
      await running(pods, "b");
      await budget(budgets, "p");
      await counted(budgets, "p", { disruptionsAllowed: 1, currentHealthy: 2 });
      await accepted(evict(pods, "a"));
      const { metadata, status } = await accepted<PodDisruptionBudget>(budgets.get("/p"));
      assert.equal(status?.disruptionsAllowed, 0);
      assert.deepEqual(Object.keys(status?.disruptedPods ?? {}), ["a"]);
      assert.deepEqual(
        status?.conditions?.map(({ lastTransitionTime: _, ...rest }) => rest),
        [
          {
            type: "DisruptionAllowed",
            status: "False",
            observedGeneration: 1,
            reason: "InsufficientPods",
            message: "",
          },
        ],
      );
      const writer = metadata?.managedFields?.find(({ manager }) => manager === "kube-apiserver");
      assert.equal(writer?.subresource, "status");
      const { status: code, json } = await evict(pods, "b");
      assert.deepEqual(
        [code, json<{ details: unknown }>().details],
        [429, held("The disruption budget p does not allow evicting pods currently")],
      );
    },
  },
  {
    id: "evict-two-budgets",
    name: "a pod with two budgets cannot be evicted",
    async run(context) {
      const { pods, budgets } = collections(context);
      await running(pods, "a");
      for (const name of ["p", "q"]) {
        await budget(budgets, name);
        await counted(budgets, name, { disruptionsAllowed: 5 });
      }
      assert.deepEqual(await refused(evict(pods, "a")), [
        500,
        "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
      ]);
      assert.equal(await isGoing(pods, "a"), false);
    },
  },
  {
    id: "evict-unready",
    name: "an unready pod can be evicted if enough others are healthy, or with unhealthyPodEvictionPolicy AlwaysAllow",
    async run(context) {
      const { pods, budgets } = collections(context);
      await running(pods, "a", false);
      await running(pods, "b", false);
      await budget(budgets, "p");
      await counted(budgets, "p", { disruptionsAllowed: 0, currentHealthy: 0 });
      assert.equal((await evict(pods, "a")).status, 429);
      await counted(budgets, "p", { currentHealthy: 1 });
      await accepted(evict(pods, "a"));
      await accepted(budgets.merge("/p", { spec: { unhealthyPodEvictionPolicy: "AlwaysAllow" } }));
      await counted(budgets, "p", { currentHealthy: 0, observedGeneration: 2 });
      await accepted(evict(pods, "b"));
      const { status } = await accepted<PodDisruptionBudget>(budgets.get("/p"));
      assert.deepEqual(status?.disruptedPods, undefined);
      assert.deepEqual([await isGoing(pods, "a"), await isGoing(pods, "b")], [true, true]);
    },
  },
  {
    id: "bind-metadata",
    name: "a Binding sets its labels and annotations on the pod",
    async run(context) {
      const { pods } = collections(context);
      await accepted(pods.post("", { ...pod("a", labels) }));
      const metadata = { name: "a", labels: { l: "m" }, annotations: { x: "y" } };
      const binding = { metadata, target: { kind: "Node", name: "n" } };
      await accepted(pods.post("/a/binding", binding));
      const bound = await accepted<Pod>(pods.get("/a"));
      assert.deepEqual(bound.metadata?.labels, { ...labels, l: "m" });
      assert.deepEqual(bound.metadata?.annotations, { x: "y" });
      assert.equal(bound.spec?.nodeName, "n");
    },
  },
  {
    id: "bind-refused",
    name: "a Binding to a gated pod or with another uid responds with Conflict",
    async run(context) {
      const { pods } = collections(context);
      const { spec } = pod("a");
      const schedulingGates = [{ name: "x.io/wait" }];
      await accepted(
        pods.post("", { metadata: { name: "a" }, spec: { ...spec, schedulingGates } }),
      );
      const bind = (metadata: object) =>
        pods.post("/a/binding", { metadata, target: { kind: "Node", name: "n" } });
      assert.deepEqual(await refused(bind({ name: "a" })), [
        409,
        'Operation cannot be fulfilled on pods/binding "a": pod a has non-empty .spec.schedulingGates',
      ]);
      const [code, why] = await refused(bind({ name: "a", uid: "another" }));
      assert.equal(code, 409);
      assert.match(why, /Precondition failed: UID in precondition: another, UID in object meta: /);
    },
  },
  {
    id: "bind-collection",
    name: "a Binding can be posted to the collection of Bindings",
    async run(context) {
      const { pods } = collections(context);
      await accepted(pods.post("", { ...pod("a") }));
      const bindings = rawCollection(context, "/api/v1/%/bindings");
      const target = { kind: "Node", name: "n" };
      assert.deepEqual(await refused(bindings.post("", { target })), [
        400,
        "Name parameter required.",
      ]);
      await accepted(bindings.post("", { metadata: { name: "a" }, target }));
      assert.equal((await accepted<Pod>(pods.get("/a"))).spec?.nodeName, "n");
    },
  },
];
