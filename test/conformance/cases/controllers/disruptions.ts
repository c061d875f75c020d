import assert from "node:assert/strict";
import { ReplicaSet } from "@typekube/api/apps/v1";
import { ConfigMap, Event, Pod, ReplicationController } from "@typekube/api/core/v1";
import { PodDisruptionBudget } from "@typekube/api/policy/v1";
import { isConflict, KubeError } from "typekube";
import { deployment } from "../../support/objects.js";
import { type ControllerCase, isOf, listUntil, makeReady } from "./controller-case.js";

/** Cases for disruption budgets, evictions, ReplicationControllers and Events. */
export const disruptions: readonly ControllerCase[] = [
  {
    id: "disruption-budget",
    name: "an eviction succeeds while the budget allows disruptions and responds with 429 afterwards",
    async run(context) {
      const { client, namespace, signal } = context;
      const budgets = client.resource(PodDisruptionBudget, namespace);
      const { metadata, spec } = deployment("web", 2);
      assert.ok(spec);
      const { selector, template } = spec;
      await client.resource(ReplicaSet, namespace).create({
        metadata,
        spec: { replicas: 2, selector, template },
      });
      const both = await listUntil(context, Pod, ({ length }) => length === 2);
      await budgets.create({
        metadata: { name: "web" },
        spec: { maxUnavailable: "50%", selector },
      });
      const unready = await budgets.waitFor("web", (found) => found?.status?.expectedPods === 2, {
        signal,
      });
      assert.deepEqual(countsOf(unready), [0, 1, 0]);
      assert.equal(reasonOf(unready), "InsufficientPods");
      await makeReady(context, both);
      const ready = await budgets.waitFor("web", (found) => countsOf(found)[0] === 2, { signal });
      assert.deepEqual(countsOf(ready), [2, 1, 1]);
      assert.equal(reasonOf(ready), "SufficientPods");
      const [first, second] = both;
      const pods = client.resource(Pod, namespace);
      const evict = (name = "") => pods.eviction.create(name, { metadata: { name } });
      await evict(first?.metadata.name);
      await budgets.waitFor("web", (found) => countsOf(found)[2] === 0, { signal });
      await assert.rejects(evict(second?.metadata.name), (error) => {
        assert.ok(error instanceof KubeError);
        assert.equal(error.status?.code, 429);
        return true;
      });
      assert.equal(
        (await pods.get(second?.metadata.name ?? "")).metadata.deletionTimestamp,
        undefined,
      );
    },
  },
  {
    id: "disruption-budget-without-pods",
    name: "a budget allows no disruptions without pods, or with pods whose controller has no scale",
    async run(context) {
      const { client, namespace, signal } = context;
      const budgets = client.resource(PodDisruptionBudget, namespace);
      const selector = { matchLabels: { app: "lone" } };
      await budgets.create({ metadata: { name: "a" }, spec: { minAvailable: 0, selector } });
      const empty = await budgets.waitFor(
        "a",
        (found) => found?.status?.observedGeneration === found?.metadata.generation,
        { signal },
      );
      assert.deepEqual(countsOf(empty), [0, 0, 0]);
      const owner = await client
        .resource(ConfigMap, namespace)
        .create({ metadata: { name: "owner" } });
      await client.resource(Pod, namespace).create({
        metadata: {
          name: "p",
          labels: { app: "lone" },
          ownerReferences: [
            {
              apiVersion: "v1",
              kind: "ConfigMap",
              name: "owner",
              uid: owner.metadata.uid,
              controller: true,
            },
          ],
        },
        spec: { containers: [{ name: "c", image: "i" }] },
      });
      await budgets.create({ metadata: { name: "b" }, spec: { maxUnavailable: 1, selector } });
      const failed = await budgets.waitFor("b", (found) => reasonOf(found) === "SyncFailed", {
        signal,
      });
      assert.deepEqual(countsOf(failed), [0, 0, 0]);
    },
  },
  {
    id: "replication-controller",
    name: "a ReplicationController maintains spec.replicas pods",
    async run(context) {
      const { client, namespace, signal } = context;
      const all = client.resource(ReplicationController, namespace);
      const { spec } = deployment("web");
      assert.ok(spec);
      const { template } = spec;
      const made = await all.create({ metadata: { name: "web" }, spec: { replicas: 2, template } });
      const pods = await listUntil(context, Pod, (items) => items.filter(isOf(made)).length === 2);
      for (const { metadata } of pods) {
        assert.equal(metadata.generateName, "web-");
        assert.deepEqual(metadata.ownerReferences, [
          {
            apiVersion: "v1",
            kind: "ReplicationController",
            name: "web",
            uid: made.metadata.uid,
            controller: true,
            blockOwnerDeletion: true,
          },
        ]);
      }
      const counted = await all.waitFor("web", (found) => found?.status?.replicas === 2, {
        signal,
      });
      assert.deepEqual(counted?.status, {
        fullyLabeledReplicas: 2,
        observedGeneration: 1,
        replicas: 2,
      });
    },
  },
  {
    id: "controller-events",
    name: "controllers record Events about their actions in the namespace of the object",
    async run(context) {
      const { client, namespace } = context;
      const { metadata, spec } = deployment("web", 2);
      assert.ok(spec);
      const { selector, template } = spec;
      const set = await client.resource(ReplicaSet, namespace).create({
        metadata,
        spec: { replicas: 2, selector, template },
      });
      const events = await listUntil(context, Event, ({ length }) => length === 2);
      const pods = await client.resource(Pod, namespace).list();
      const texts = pods.items.map(({ metadata: { name } }) => `Created pod: ${name}`);
      assert.deepEqual(events.map(({ message }) => message).sort(), texts.sort());
      for (const event of events) {
        const { involvedObject, reason, type, source, count, metadata: own } = event;
        assert.deepEqual(
          [reason, type, source, count],
          ["SuccessfulCreate", "Normal", { component: "replicaset-controller" }, 1],
        );
        assert.deepEqual(
          { ...involvedObject, resourceVersion: undefined },
          {
            apiVersion: "apps/v1",
            kind: "ReplicaSet",
            name: "web",
            namespace,
            uid: set.metadata.uid,
            resourceVersion: undefined,
          },
        );
        assert.match(own.name, /^web\.[0-9a-f]{16}$/);
      }
    },
  },
  {
    id: "create-then-update",
    name: "an update with the resourceVersion of the create is refused only if a controller wrote since",
    async run({ client, namespace, server }) {
      const sets = client.resource(ReplicaSet, namespace);
      const { metadata, spec } = deployment("web", 1);
      assert.ok(spec);
      const { selector, template } = spec;
      // Loads the code for the first call.
      await sets.list();
      const set = await sets.create({ metadata, spec: { replicas: 1, selector, template } });
      const changed = { ...set, metadata: { ...set.metadata, labels: { a: "b" } } };
      const updated = await sets.update(changed).catch(async (error: unknown) => {
        // The controllers of a real server are other processes: one may write at any moment.
        if (server === "embedded" || !isConflict(error)) {
          throw error;
        }
        const { metadata: now } = await sets.get("web");
        // Entries of the same second are sorted by manager: the controller may come first.
        const writers = now.managedFields
          ?.map(({ manager, subresource }) => [manager, subresource])
          .filter(([, subresource]) => subresource !== undefined);
        assert.deepEqual(writers, [["kube-controller-manager", "status"]]);
      });
      if (updated !== undefined) {
        assert.deepEqual(updated.metadata.labels, { a: "b" });
      }
    },
  },
];

type Budget = { readonly status?: PodDisruptionBudget["status"] } | undefined;

/** Returns the numbers of healthy pods, desired healthy pods and allowed disruptions. */
function countsOf(found: Budget): number[] {
  const { currentHealthy = 0, desiredHealthy = 0, disruptionsAllowed = 0 } = found?.status ?? {};
  return [currentHealthy, desiredHealthy, disruptionsAllowed];
}

function reasonOf(found: Budget): string | undefined {
  return found?.status?.conditions?.find(({ type }) => type === "DisruptionAllowed")?.reason;
}
