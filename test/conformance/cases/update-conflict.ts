import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { Lease } from "@typekube/api/coordination/v1";
import { ConfigMap } from "@typekube/api/core/v1";
import { ClusterRole } from "@typekube/api/rbac/v1";
import { mergePatch } from "@typekube/client";
import { isConflict } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { configMap, deployment } from "../support/objects.js";
import { expectRefusal, rawRequest } from "../support/raw-request.js";

/** Cases for replacing objects, and for conflicts between two writers. */
export const updateConflict: readonly ConformanceCase[] = [
  {
    id: "update-replaces",
    name: "an update replaces the whole object and increments its resourceVersion",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const first = await configMaps.create(configMap("a", { one: "1", two: "2" }, { l: "x" }));
      const second = await configMaps.update({ ...first, data: { three: "3" } });
      assert.deepEqual(second.data, { three: "3" });
      assert.deepEqual(second.metadata.labels, { l: "x" });
      assert.equal(second.metadata.uid, first.metadata.uid);
      assert.notEqual(second.metadata.resourceVersion, first.metadata.resourceVersion);
      assert.deepEqual(await configMaps.get("a"), second);
    },
  },
  {
    id: "UPD1",
    name: "an update with a stale resourceVersion responds with Conflict",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const stale = await configMaps.create(configMap("a"));
      await configMaps.update({ ...stale, data: { by: "someone else" } });
      await expectFailure(configMaps.update({ ...stale, data: { by: "me" } }), {
        code: 409,
        reason: "Conflict",
        message:
          'Operation cannot be fulfilled on configmaps "a": the object has been modified; ' +
          "please apply your changes to the latest version and try again",
        details: { name: "a", kind: "configmaps" },
      });
      assert.deepEqual((await configMaps.get("a")).data, { by: "someone else" });
    },
  },
  {
    id: "UPD2",
    name: "an update without a resourceVersion overwrites",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a", { k: "1" }));
      const updated = await configMaps.update(configMap("a", { k: "2" }));
      assert.deepEqual(updated.data, { k: "2" });
    },
  },
  {
    id: "UPD5",
    name: "of concurrent writers of one object a single update succeeds, and every patch",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const read = await configMaps.create(configMap("a"));
      const writers = Array.from({ length: 5 }, (_, index) => `writer${index}`);
      const updates = await Promise.allSettled(
        writers.map((by) => configMaps.update({ ...read, data: { [by]: "update" } })),
      );
      assert.equal(updates.filter(({ status }) => status === "fulfilled").length, 1);
      for (const result of updates) {
        assert.ok(result.status === "fulfilled" || isConflict(result.reason));
      }
      await Promise.all(
        writers.map((by) => configMaps.patch("a", mergePatch({ data: { [by]: "patch" } }))),
      );
      const { data } = await configMaps.get("a");
      assert.deepEqual(data, Object.fromEntries(writers.map((by) => [by, "patch"])));
    },
  },
  {
    id: "GRP19",
    name: "an update of a missing object creates a Lease, but responds with NotFound for a ConfigMap",
    async run(context) {
      const { client, namespace } = context;
      await expectFailure(client.resource(ConfigMap, namespace).update(configMap("a")), {
        code: 404,
        reason: "NotFound",
        message: 'configmaps "a" not found',
        details: { name: "a", kind: "configmaps" },
      });
      const created = await rawRequest(context, {
        method: "PUT",
        path: `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/a`,
        body: { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "a" } },
      });
      assert.equal(created.status, 201);
      await client.resource(Lease, namespace).get("a");
    },
  },
  {
    id: "update-no-change",
    name: "an update that changes nothing keeps the resourceVersion",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const first = await configMaps.create(configMap("a", { k: "v" }));
      const second = await configMaps.update(first);
      assert.equal(second.metadata.resourceVersion, first.metadata.resourceVersion);
    },
  },
  {
    id: "update-wrong-uid",
    name: "an update of an object that was deleted and created again responds with Conflict",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const old = await configMaps.create(configMap("a"));
      await configMaps.delete("a");
      const { metadata } = await configMaps.create(configMap("a"));
      const { resourceVersion: _, ...identity } = old.metadata;
      await expectFailure(configMaps.update({ ...old, metadata: identity }), {
        code: 409,
        reason: "Conflict",
        message:
          `Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, ` +
          `Key: /registry/configmaps/${namespace}/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ` +
          `UID in precondition: ${old.metadata.uid}, UID in object meta: ${metadata.uid}`,
      });
    },
  },
  {
    id: "update-other-name",
    name: "the name in the body must match that of the URL",
    async run(context) {
      const path = `/api/v1/namespaces/${context.namespace}/configmaps/a`;
      await context.client.resource(ConfigMap, context.namespace).create(configMap("a"));
      await expectRefusal(
        context,
        {
          method: "PUT",
          path,
          body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" } },
        },
        {
          code: 400,
          reason: "BadRequest",
          message: "the name of the object (b) does not match the name on the URL (a)",
        },
      );
    },
  },
  {
    id: "update-cluster-wide",
    name: "the server drops the namespace of a cluster-scoped object, as in charts with a ClusterRole",
    async run({ client, namespace }) {
      const roles = client.resource(ClusterRole);
      const role: ClusterRole = { metadata: { name: `r-${namespace}`, namespace }, rules: [] };
      const { name } = (await roles.create(role)).metadata;
      const written = [
        await roles.update(role),
        await roles.patch(name, mergePatch({ metadata: { namespace, labels: { a: "b" } } })),
        await roles.apply(role, { fieldManager: "m", force: true }),
        await roles.get(name),
      ];
      assert.deepEqual(
        written.map(({ metadata }) => metadata.namespace),
        [undefined, undefined, undefined, undefined],
      );
      await roles.delete(name);
    },
  },
  {
    id: "update-other-namespace",
    name: "the namespace in the body must match that of the URL",
    async run(context) {
      await expectRefusal(
        context,
        {
          method: "POST",
          path: `/api/v1/namespaces/${context.namespace}/configmaps`,
          body: {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name: "a", namespace: "other" },
          },
        },
        {
          code: 400,
          reason: "BadRequest",
          message:
            "the namespace of the provided object does not match the namespace sent on the request",
        },
      );
    },
  },
  {
    id: "UPD3",
    name: "two writers who retry on conflicts lose no increment",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("counter", { n: "0" }));
      const increment = async () => {
        for (;;) {
          const counter = await configMaps.get("counter");
          try {
            const n = String(Number(counter.data?.["n"]) + 1);
            return await configMaps.update({ ...counter, data: { n } });
          } catch (error) {
            if (!isConflict(error)) {
              throw error;
            }
          }
        }
      };
      const writer = async () => {
        for (let count = 0; count < 10; count++) {
          await increment();
        }
      };
      await Promise.all([writer(), writer()]);
      assert.deepEqual((await configMaps.get("counter")).data, { n: "20" });
    },
  },
  {
    id: "update-keeps-system-fields",
    name: "an update without uid and creationTimestamp keeps them",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.create(configMap("a"));
      const updated = await configMaps.update(configMap("a", { k: "v" }));
      assert.equal(updated.metadata.uid, metadata.uid);
      assert.equal(updated.metadata.creationTimestamp, metadata.creationTimestamp);
    },
  },
  {
    id: "UPD4",
    name: "an object read in any encoding can be written back without loss",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      const created = await deployments.create(deployment("a"));
      for (const encoding of ["json", "protobuf"] as const) {
        const read = await deployments.get("a", { encoding });
        const written = await deployments.update(read);
        assert.deepEqual(written, created);
      }
    },
  },
  {
    id: "immutable-config-map",
    name: "the data of an immutable ConfigMap cannot be changed",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const frozen = await configMaps.create({ ...configMap("a", { k: "1" }), immutable: true });
      await expectFailure(configMaps.update({ ...frozen, data: { k: "2" } }), {
        code: 422,
        reason: "Invalid",
        message:
          'ConfigMap "a" is invalid: data: Forbidden: field is immutable when `immutable` is set',
        causes: [
          {
            reason: "FieldValueForbidden",
            message: "Forbidden: field is immutable when `immutable` is set",
            field: "data",
          },
        ],
      });
    },
  },
  {
    id: "immutable-selector",
    name: "the selector of a Deployment is immutable",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      const created = await deployments.create(deployment("a"));
      const labels = { app: "other" };
      const changed = {
        ...created,
        spec: {
          ...deployment("a").spec,
          selector: { matchLabels: labels },
          template: { ...created.spec?.template, metadata: { labels } },
        },
      } as Deployment;
      const { causes } = await expectFailure(deployments.update(changed), {
        code: 422,
        reason: "Invalid",
        details: { name: "a", group: "apps", kind: "Deployment" },
      });
      assert.deepEqual(
        causes.map(({ field, reason }) => ({ field, reason })),
        [{ field: "spec.selector", reason: "FieldValueInvalid" }],
      );
    },
  },
  {
    id: "generation",
    name: "the generation counts changes of the spec, not of labels",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      const created = await deployments.create(deployment("a"));
      assert.equal(created.metadata.generation, 1);
      const labelled = await deployments.update({
        ...created,
        metadata: { ...created.metadata, labels: { more: "labels" } },
      });
      assert.equal(labelled.metadata.generation, 1);
      const scaled = await deployments.update({
        ...labelled,
        spec: { ...deployment("a").spec, replicas: 3 } as Deployment["spec"],
      });
      assert.equal(scaled.metadata.generation, 2);
    },
  },
];
