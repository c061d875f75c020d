import assert from "node:assert/strict";
import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { mergePatch } from "@typekube/client";
import type { ConformanceCase } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { configMap, pod } from "../support/objects.js";
import { expectRefusal } from "../support/raw-request.js";
import { readObjects } from "../support/read-watch.js";

/** Cases for deleting one object, immediately or in two steps. */
export const deleteAndFinalizers: readonly ConformanceCase[] = [
  {
    id: "delete-answers-status",
    name: "a delete returns a Status that names the object",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.create(configMap("a"));
      const response = await configMaps.delete("a");
      assert.ok(response.type === "deleted");
      assert.equal(response.status?.status, "Success");
      assert.deepEqual(response.status?.details, {
        name: "a",
        kind: "configmaps",
        uid: metadata.uid,
      });
      assert.equal(await configMaps.find("a"), undefined);
    },
  },
  {
    id: "delete-absent",
    name: "a delete of a missing object responds with NotFound",
    async run({ client, namespace }) {
      await expectFailure(client.resource(ConfigMap, namespace).delete("a"), {
        code: 404,
        reason: "NotFound",
        message: 'configmaps "a" not found',
        details: { name: "a", kind: "configmaps" },
      });
    },
  },
  {
    id: "DEL1",
    name: "a finalizer keeps a deleted object, which has a deletionTimestamp",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create({ metadata: { name: "a", finalizers: ["x.io/hold"] } });
      const response = await configMaps.delete("a");
      assert.equal(response.type, "terminating");
      const held = await configMaps.get("a");
      assert.match(held.metadata.deletionTimestamp ?? "", /^\d{4}-.*Z$/);
      assert.equal(held.metadata.deletionGracePeriodSeconds, 0);
      await configMaps.patch("a", mergePatch({ metadata: { finalizers: null } }));
      assert.equal(await configMaps.find("a"), undefined);
    },
  },
  {
    id: "DEL2",
    name: "finalizers can be removed in any order; removing the last one deletes the object",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create({ metadata: { name: "a", finalizers: ["x.io/1", "x.io/2"] } });
      await configMaps.delete("a");
      const one = await configMaps.patch("a", mergePatch({ metadata: { finalizers: ["x.io/1"] } }));
      assert.deepEqual(one.metadata.finalizers, ["x.io/1"]);
      await configMaps.patch("a", mergePatch({ metadata: { finalizers: [] } }));
      assert.equal(await configMaps.find("a"), undefined);
    },
  },
  {
    id: "DEL4",
    name: "a watch gets MODIFIED with a deletionTimestamp, then DELETED",
    async run({ client, namespace, signal }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.create({
        metadata: { name: "a", finalizers: ["x.io/hold"] },
      });
      await configMaps.delete("a");
      await configMaps.patch("a", mergePatch({ metadata: { finalizers: null } }));
      const { resourceVersion } = metadata;
      const events = await readObjects(configMaps.watch({ resourceVersion, signal }), 2);
      assert.deepEqual(
        events.map(({ type, object }) => [type, object.metadata.deletionTimestamp !== undefined]),
        [
          ["MODIFIED", true],
          ["DELETED", true],
        ],
      );
    },
  },
  {
    id: "delete-twice",
    name: "a second delete of an object with finalizers changes nothing",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create({ metadata: { name: "a", finalizers: ["x.io/hold"] } });
      await configMaps.delete("a");
      const held = await configMaps.get("a");
      assert.equal((await configMaps.delete("a")).type, "terminating");
      assert.deepEqual(await configMaps.get("a"), held);
      await configMaps.patch("a", mergePatch({ metadata: { finalizers: null } }));
    },
  },
  {
    id: "finalizer-too-late",
    name: "adding a finalizer to an object that is being deleted is rejected",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create({ metadata: { name: "a", finalizers: ["x.io/hold"] } });
      await configMaps.delete("a");
      const late = configMaps.patch(
        "a",
        mergePatch({ metadata: { finalizers: ["x.io/hold", "x.io/late"] } }),
      );
      const { causes } = await expectFailure(late, {
        code: 422,
        reason: "Invalid",
        message:
          /no new finalizers can be added if the object is being deleted, found new finalizers/,
      });
      assert.deepEqual(
        causes.map(({ field, reason }) => ({ field, reason })),
        [{ field: "metadata.finalizers", reason: "FieldValueForbidden" }],
      );
      await configMaps.patch("a", mergePatch({ metadata: { finalizers: null } }));
    },
  },
  {
    id: "DEL12",
    name: "a delete with another uid as its precondition responds with Conflict",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.create(configMap("a"));
      const uid = "00000000-0000-4000-8000-000000000000";
      await expectFailure(configMaps.delete("a", { preconditions: { uid } }), {
        code: 409,
        reason: "Conflict",
        message:
          `Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (${uid}) does not match ` +
          `the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
      });
      await configMaps.delete("a", { preconditions: { uid: metadata.uid } });
      assert.equal(await configMaps.find("a"), undefined);
    },
  },
  {
    id: "delete-precondition-version",
    name: "a delete with an older resourceVersion as its precondition responds with Conflict",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.create(configMap("a"));
      const { resourceVersion } = metadata;
      const now = await configMaps.patch("a", mergePatch({ data: { k: "v" } }));
      await expectFailure(configMaps.delete("a", { preconditions: { resourceVersion } }), {
        code: 409,
        reason: "Conflict",
        message:
          `Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition (${resourceVersion}) ` +
          `does not match the ResourceVersion in record (${now.metadata.resourceVersion}). The object might have been modified`,
      });
      assert.ok(await configMaps.find("a"));
    },
  },
  {
    id: "delete-foreground",
    name: "a foreground deletion waits for the dependents",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a"));
      const response = await configMaps.delete("a", { propagationPolicy: "Foreground" });
      assert.equal(response.type, "terminating");
      const held = await configMaps.get("a");
      assert.deepEqual(held.metadata.finalizers, ["foregroundDeletion"]);
      assert.ok(held.metadata.deletionTimestamp);
    },
  },
  {
    id: "delete-orphan",
    name: "an orphaning deletion waits until the dependents are orphaned",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a"));
      const response = await configMaps.delete("a", { propagationPolicy: "Orphan" });
      assert.equal(response.type, "terminating");
      assert.deepEqual((await configMaps.get("a")).metadata.finalizers, ["orphan"]);
    },
  },
  {
    id: "DEL11",
    name: "an unknown propagation policy responds with Invalid",
    async run(context) {
      const { client, namespace } = context;
      await client.resource(ConfigMap, namespace).create(configMap("a"));
      const status = await expectRefusal(
        context,
        {
          method: "DELETE",
          path: `/api/v1/namespaces/${namespace}/configmaps/a`,
          body: { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Foo" },
        },
        { code: 422, reason: "Invalid" },
      );
      assert.deepEqual(
        status.details?.causes?.map(({ field }) => field),
        ["propagationPolicy"],
      );
    },
  },
  {
    id: "delete-pod-at-once",
    name: "an unscheduled pod is deleted immediately, with or without a grace period",
    async run({ client, namespace }) {
      const pods = client.resource(Pod, namespace);
      for (const gracePeriodSeconds of [undefined, 0, 30]) {
        await pods.create(pod("a"));
        await pods.delete("a", { gracePeriodSeconds });
        assert.equal(await pods.find("a"), undefined);
      }
    },
  },
  {
    id: "delete-pod-gracefully",
    name: "a scheduled pod gets its grace period; a grace period of 0 ends it",
    async run({ client, namespace }) {
      const pods = client.resource(Pod, namespace);
      const bound = pod("a");
      await pods.create({ ...bound, spec: { containers: [], ...bound.spec, nodeName: "node-1" } });
      assert.equal((await pods.delete("a", { gracePeriodSeconds: 20 })).type, "terminating");
      const held = await pods.get("a");
      assert.equal(held.metadata.deletionGracePeriodSeconds, 20);
      const shorter = await pods.delete("a", { gracePeriodSeconds: 5 });
      assert.equal(shorter.type, "terminating");
      assert.equal((await pods.get("a")).metadata.deletionGracePeriodSeconds, 5);
      await pods.delete("a", { gracePeriodSeconds: 0 });
      assert.equal(await pods.find("a"), undefined);
    },
  },
];
