import assert from "node:assert/strict";
import { StatefulSet } from "@typekube/api/apps/v1";
import { Job } from "@typekube/api/batch/v1";
import { Namespace, PersistentVolume, PersistentVolumeClaim, Pod } from "@typekube/api/core/v1";
import { VolumeAttributesClass } from "@typekube/api/storage/v1";
import { conditions, isNotFound } from "typekube";
import { deployment } from "../../support/objects.js";
import { type ControllerCase, type ControllerContext, listUntil } from "./controller-case.js";

const claim = (name: string): PersistentVolumeClaim => ({
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
});

/** Cases for finalizers that admission or a controller adds, and a controller removes. */
export const storage: readonly ControllerCase[] = [
  {
    id: "claim-protection",
    name: "a deleted claim is removed once no scheduled pod uses it",
    async run({ client, namespace, signal }) {
      const claims = client.resource(PersistentVolumeClaim, namespace);
      const pods = client.resource(Pod, namespace);
      const { metadata } = await claims.create(claim("data"));
      assert.deepEqual(metadata.finalizers, ["kubernetes.io/pvc-protection"]);
      await pods.create({
        metadata: { name: "user" },
        spec: {
          nodeName: "n",
          terminationGracePeriodSeconds: 0,
          containers: [{ name: "c", image: "i" }],
          volumes: [{ name: "d", persistentVolumeClaim: { claimName: "data" } }],
        },
      });
      await claims.create(claim("free"));
      await claims.delete("data");
      const free = await claims.delete("free");
      await claims.waitFor("free", conditions.deleted(uidOf(free)), { signal });
      assert.ok((await claims.get("data")).metadata.deletionTimestamp);
      await pods.delete("user", { gracePeriodSeconds: 0 });
      await claims.waitFor("data", conditions.deleted(metadata.uid), { signal });
    },
  },
  {
    id: "volume-protection",
    name: "a deleted volume and a deleted VolumeAttributesClass are removed when they are unused",
    async run({ client, namespace, signal }) {
      const volumes = client.resource(PersistentVolume);
      const classes = client.resource(VolumeAttributesClass);
      const name = `${namespace}-v`;
      const volume = await volumes.create({
        metadata: { name },
        spec: {
          capacity: { storage: "1Gi" },
          accessModes: ["ReadWriteOnce"],
          persistentVolumeReclaimPolicy: "Retain",
          csi: { driver: "driver.example", volumeHandle: "h" },
        },
      });
      assert.ok(volume.metadata.finalizers?.includes("kubernetes.io/pv-protection"));
      const gold = await classes.create({
        metadata: { name },
        driverName: "driver.example",
        parameters: { speed: "high" },
      });
      assert.deepEqual(gold.metadata.finalizers, ["kubernetes.io/vac-protection"]);
      await volumes.delete(name);
      await classes.delete(name);
      await volumes.waitFor(name, conditions.deleted(volume.metadata.uid), { signal });
      await classes.waitFor(name, conditions.deleted(gold.metadata.uid), { signal });
    },
  },
  {
    id: "namespace-with-claim",
    name: "a deleted namespace with a claim is removed",
    async run({ client, namespace, signal }) {
      const all = client.resource(Namespace);
      const name = `${namespace}-claims`;
      const { metadata } = await all.create({ metadata: { name } });
      await client.resource(PersistentVolumeClaim, name).create(claim("data"));
      await all.delete(name);
      await all.waitFor(name, conditions.deleted(metadata.uid), { signal });
    },
  },
  {
    id: "stateful-set-claims",
    name: "the claims of a deleted StatefulSet are deleted with whenDeleted: Delete and remain with Retain",
    async run(context) {
      const { client, namespace, signal } = context;
      const sets = client.resource(StatefulSet, namespace);
      const claims = client.resource(PersistentVolumeClaim, namespace);
      for (const whenDeleted of ["Delete", "Retain"]) {
        const { metadata, spec } = deployment(whenDeleted.toLowerCase(), 1);
        assert.ok(spec);
        const { selector, template } = spec;
        const volumeClaimTemplates = [claim("data")];
        const set = await sets.create({
          metadata,
          spec: {
            serviceName: "db",
            selector,
            template,
            volumeClaimTemplates,
            persistentVolumeClaimRetentionPolicy: { whenDeleted },
          },
        });
        const own = `data-${metadata?.name}-0`;
        const isOwned = (found: PersistentVolumeClaim | undefined) =>
          found?.metadata?.ownerReferences?.[0]?.uid === set.metadata.uid;
        const made = await claims.waitFor(
          own,
          (found) => found !== undefined && isOwned(found) === (whenDeleted === "Delete"),
          { signal },
        );
        await sets.delete(metadata?.name ?? "");
        await deletePods(context);
        if (whenDeleted === "Delete") {
          await claims.waitFor(own, conditions.deleted(made?.metadata.uid), { signal });
        } else {
          await claims.get(own);
          await claims.delete(own);
          await claims.waitFor(own, conditions.deleted(made?.metadata.uid), { signal });
        }
      }
    },
  },
  {
    id: "job-tracking",
    name: "the tracking finalizer does not hold the pods of a Job deleted in the background",
    async run(context) {
      const { client, namespace } = context;
      const jobs = client.resource(Job, namespace);
      const spec = deployment("any").spec?.template.spec;
      await jobs.create({
        metadata: { name: "sum" },
        spec: {
          template: {
            spec: { ...spec, containers: spec?.containers ?? [], restartPolicy: "Never" },
          },
        },
      });
      await listUntil(context, Pod, ({ length }) => length === 1);
      await jobs.delete("sum", { propagationPolicy: "Background" });
      await listUntil(context, Pod, ({ length }) => length === 0);
    },
  },
];

/** Deletes terminating pods for good, in place of a kubelet. */
async function deletePods(context: ControllerContext): Promise<void> {
  const pods = context.client.resource(Pod, context.namespace);
  await listUntil(context, Pod, (items) =>
    items.every(({ metadata }) => metadata.deletionTimestamp !== undefined),
  );
  for (const { metadata } of (await pods.list()).items) {
    // A controller may have removed it since the list.
    await pods.delete(metadata.name, { gracePeriodSeconds: 0 }).catch((error: unknown) => {
      if (!isNotFound(error)) {
        throw error;
      }
    });
  }
  await listUntil(context, Pod, ({ length }) => length === 0);
}

function uidOf(object: unknown): string | undefined {
  return (object as { metadata?: { uid?: string } }).metadata?.uid;
}
