import assert from "node:assert/strict";
import { Deployment, ReplicaSet } from "@typekube/api/apps/v1";
import { Pod } from "@typekube/api/core/v1";
import { conditions, mergePatch } from "typekube";
import { deployment } from "../../support/objects.js";
import { type ControllerCase, listUntil, makeReady } from "./controller-case.js";

/** Cases for Deployments and the objects they create. */
export const deployments: readonly ControllerCase[] = [
  {
    id: "deployment-pods",
    name: "a Deployment creates a ReplicaSet, which creates the pods; each has labels and an owner reference",
    async run(context) {
      const { client, namespace, signal } = context;
      const made = await client.resource(Deployment, namespace).create(deployment("web", 2));
      const pods = await listUntil(context, Pod, ({ length }) => length === 2);
      const [set] = (await client.resource(ReplicaSet, namespace).list()).items;
      assert.ok(set);
      const hash = set.metadata.labels?.["pod-template-hash"];
      assert.ok(hash);
      assert.equal(set.metadata.name, `web-${hash}`);
      assert.deepEqual(set.metadata.labels, { app: "web", "pod-template-hash": hash });
      assert.deepEqual(set.spec?.selector.matchLabels, set.metadata.labels);
      assert.deepEqual(set.metadata.ownerReferences, [
        {
          apiVersion: "apps/v1",
          kind: "Deployment",
          name: "web",
          uid: made.metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ]);
      assert.deepEqual(set.metadata.annotations, {
        "deployment.kubernetes.io/desired-replicas": "2",
        "deployment.kubernetes.io/max-replicas": "3",
        "deployment.kubernetes.io/revision": "1",
      });
      for (const { metadata } of pods) {
        assert.match(metadata.name, new RegExp(`^web-${hash}-[a-z0-9]{5}$`));
        assert.equal(metadata.generateName, `web-${hash}-`);
        assert.deepEqual(metadata.labels, set.metadata.labels);
        assert.deepEqual(metadata.ownerReferences, [
          {
            apiVersion: "apps/v1",
            kind: "ReplicaSet",
            name: set.metadata.name,
            uid: set.metadata.uid,
            controller: true,
            blockOwnerDeletion: true,
          },
        ]);
        assert.deepEqual(
          metadata.managedFields?.map(({ manager, operation }) => `${manager} ${operation}`),
          ["kube-controller-manager Update"],
        );
      }
      const counted = await client
        .resource(Deployment, namespace)
        .waitFor(
          "web",
          (found) => found?.status?.unavailableReplicas === 2 && found.status.replicas === 2,
          { signal },
        );
      assert.equal(counted?.metadata.annotations?.["deployment.kubernetes.io/revision"], "1");
      assert.deepEqual(
        counted?.status?.conditions
          ?.map(({ type, status, reason }) => `${type} ${status} ${reason}`)
          .sort(),
        ["Available False MinimumReplicasUnavailable", "Progressing True ReplicaSetUpdated"],
      );
    },
  },
  {
    id: "deployment-available",
    name: "a Deployment is Available and has finished progressing once its pods are ready",
    async run(context) {
      const { client, namespace, signal } = context;
      const all = client.resource(Deployment, namespace);
      await all.create(deployment("web", 2));
      await makeReady(context, await listUntil(context, Pod, ({ length }) => length === 2));
      await all.waitFor("web", conditions.available(), { signal });
      const done = await all.waitFor(
        "web",
        (found) =>
          found?.status?.conditions?.some(({ reason }) => reason === "NewReplicaSetAvailable") ===
          true,
        { signal },
      );
      const { conditions: reported, ...status } = done?.status ?? {};
      assert.deepEqual(status, {
        observedGeneration: done?.metadata.generation,
        replicas: 2,
        updatedReplicas: 2,
        readyReplicas: 2,
        availableReplicas: 2,
        terminatingReplicas: 0,
      });
      const [set] = (await client.resource(ReplicaSet, namespace).list()).items;
      assert.deepEqual(
        reported?.map(({ type, status: is, message }) => `${type} ${is} ${message}`).sort(),
        [
          "Available True Deployment has minimum availability.",
          `Progressing True ReplicaSet "${set?.metadata.name}" has successfully progressed.`,
        ],
      );
    },
  },
  {
    id: "deployment-scale",
    name: "scaling up creates pods, scaling down first deletes pods that are not ready",
    async run(context) {
      const { client, namespace } = context;
      const all = client.resource(Deployment, namespace);
      await all.create(deployment("web", 1));
      const [first] = await listUntil(context, Pod, ({ length }) => length === 1);
      assert.ok(first);
      await makeReady(context, [first]);
      await all.scale.patch("web", mergePatch({ spec: { replicas: 3 } }));
      await listUntil(context, Pod, ({ length }) => length === 3);
      await all.scale.patch("web", mergePatch({ spec: { replicas: 1 } }));
      const [left] = await listUntil(context, Pod, ({ length }) => length === 1);
      assert.equal(left?.metadata.name, first.metadata.name);
      const [set] = (await client.resource(ReplicaSet, namespace).list()).items;
      assert.equal(set?.metadata.annotations?.["deployment.kubernetes.io/desired-replicas"], "1");
    },
  },
  {
    id: "deployment-deleted",
    name: "a foreground deletion of a Deployment deletes pods, ReplicaSet and Deployment, in this order",
    async run(context) {
      const { client, namespace, signal } = context;
      const all = client.resource(Deployment, namespace);
      const { metadata } = await all.create(deployment("web", 2));
      await listUntil(context, Pod, ({ length }) => length === 2);
      await all.delete("web", { propagationPolicy: "Foreground" });
      await all.waitFor("web", conditions.deleted(metadata.uid), { signal });
      assert.deepEqual((await client.resource(ReplicaSet, namespace).list()).items, []);
      assert.deepEqual((await client.resource(Pod, namespace).list()).items, []);
    },
  },
];
