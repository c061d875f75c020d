import assert from "node:assert/strict";
import type { Live } from "@typekube/api";
import { Deployment, ReplicaSet } from "@typekube/api/apps/v1";
import { Pod } from "@typekube/api/core/v1";
import { conditions, mergePatch } from "typekube";
import { deployment } from "../../support/objects.js";
import { type ControllerCase, isOf, listUntil, makeReady } from "./controller-case.js";

/** Cases for rollouts from one pod template to another. */
export const rollouts: readonly ControllerCase[] = [
  {
    id: "deployment-rolling-update",
    name: "a new template creates a second ReplicaSet; old pods are deleted once new pods are ready",
    async run(context) {
      const { client, namespace, signal } = context;
      const all = client.resource(Deployment, namespace);
      await all.create(deployment("web", 2));
      await makeReady(context, await listUntil(context, Pod, ({ length }) => length === 2));
      await all.waitFor("web", conditions.available(), { signal });
      const [old] = (await client.resource(ReplicaSet, namespace).list()).items;
      assert.ok(old);
      await all.modify("web", (found) => {
        const [container] = found.spec?.template.spec?.containers ?? [];
        assert.ok(container);
        container.image = "registry.k8s.io/pause:3.9";
      });
      // At most one pod more than desired, and none fewer: 25% of 2, rounded up and down.
      for (const step of [1, 2]) {
        const pods = await listUntil(
          context,
          Pod,
          (items) => items.filter((one) => !isOf(old)(one)).length === step && items.length <= 3,
        );
        await makeReady(
          context,
          pods.filter((one) => !isOf(old)(one)),
        );
      }
      await listUntil(context, Pod, (items) => items.length === 2 && !items.some(isOf(old)));
      const sets = await listUntil(context, ReplicaSet, (items) =>
        items.some((set) => set.metadata.uid === old.metadata.uid && set.spec?.replicas === 0),
      );
      assert.deepEqual(
        sets
          .map(({ metadata }) => metadata.annotations?.["deployment.kubernetes.io/revision"])
          .sort(),
        ["1", "2"],
      );
      const done = await all.waitFor(
        "web",
        (found) => found?.metadata.annotations?.["deployment.kubernetes.io/revision"] === "2",
        { signal },
      );
      assert.ok(done);
    },
  },
  {
    id: "deployment-proportional",
    name: "scaling during a rollout scales the ReplicaSets proportionally",
    async run(context) {
      const { client, namespace, signal } = context;
      const all = client.resource(Deployment, namespace);
      const { spec, ...web } = deployment("web", 8);
      const rollingUpdate = { maxSurge: 2, maxUnavailable: 2 };
      assert.ok(spec);
      await all.create({ ...web, spec: { ...spec, strategy: { rollingUpdate } } });
      await makeReady(context, await listUntil(context, Pod, ({ length }) => length === 8));
      await all.waitFor("web", (found) => found?.status?.availableReplicas === 8, { signal });
      await all.modify("web", (found) => {
        const [container] = found.spec?.template.spec?.containers ?? [];
        assert.ok(container);
        container.image = "registry.k8s.io/pause:3.9";
      });
      const sizes = (wanted: string) =>
        listUntil(context, ReplicaSet, (items) => sizesOf(items) === wanted);
      await sizes("4 6");
      await all.scale.patch("web", mergePatch({ spec: { replicas: 18 } }));
      await sizes("8 12");
    },
  },
  {
    id: "deployment-rollback",
    name: "rolling back to an earlier template reuses its ReplicaSet as the newest revision",
    async run(context) {
      const { client, namespace, signal } = context;
      const all = client.resource(Deployment, namespace);
      const recreated = deployment("web", 1);
      await all.create({
        ...recreated,
        spec: { ...recreated.spec, strategy: { type: "Recreate" } } as Deployment["spec"],
      } as Deployment);
      const template = (image: string) => (found: Live<Deployment>) => {
        const [container] = found.spec?.template.spec?.containers ?? [];
        assert.ok(container);
        container.image = image;
      };
      const revision = (wanted: string) =>
        all.waitFor(
          "web",
          (found) => found?.metadata.annotations?.["deployment.kubernetes.io/revision"] === wanted,
          { signal },
        );
      await revision("1");
      const [first] = await listUntil(context, ReplicaSet, ({ length }) => length === 1);
      await all.modify("web", template("registry.k8s.io/pause:3.9"));
      await revision("2");
      await all.modify("web", template("registry.k8s.io/pause:3.10"));
      await revision("3");
      const sets = await listUntil(context, ReplicaSet, (items) =>
        items.some((set) => set.spec?.replicas === 1 && set.metadata.uid === first?.metadata.uid),
      );
      assert.equal(sets.length, 2);
      const again = sets.find(({ metadata }) => metadata.uid === first?.metadata.uid);
      assert.equal(again?.metadata.annotations?.["deployment.kubernetes.io/revision"], "3");
      assert.equal(again?.metadata.annotations?.["deployment.kubernetes.io/revision-history"], "1");
    },
  },
];

function sizesOf(sets: readonly Live<ReplicaSet>[]): string {
  return sets
    .map(({ spec }) => spec?.replicas ?? 1)
    .sort((a, b) => a - b)
    .join(" ");
}
