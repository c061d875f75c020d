import assert from "node:assert/strict";
import { ConfigMap, Namespace } from "@typekube/api/core/v1";
import type { ConformanceCase } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { configMap, namesOf } from "../support/objects.js";
import { rawRequest } from "../support/raw-request.js";

/** Cases for namespaces and the objects in them. */
export const namespaces: readonly ConformanceCase[] = [
  {
    id: "namespace-create",
    name: "a new namespace is Active, has its name as a label and the kubernetes finalizer",
    async run({ client, namespace }) {
      const created = await client.resource(Namespace).get(namespace);
      assert.deepEqual(created.metadata.labels, { "kubernetes.io/metadata.name": namespace });
      assert.deepEqual(created.spec?.finalizers, ["kubernetes"]);
      assert.equal(created.status?.phase, "Active");
      assert.equal(created.metadata.namespace, undefined);
    },
  },
  {
    id: "namespace-missing",
    name: "a create in a missing namespace responds with NotFound",
    async run({ client }) {
      await expectFailure(client.resource(ConfigMap, "nowhere").create(configMap("a")), {
        code: 404,
        reason: "NotFound",
        message: 'namespaces "nowhere" not found',
        details: { name: "nowhere", kind: "namespaces" },
      });
      assert.deepEqual((await client.resource(ConfigMap, "nowhere").list()).items, []);
    },
  },
  {
    id: "namespace-bad-name",
    name: "a namespace's name must be a DNS label",
    async run({ client }) {
      const bad = client.resource(Namespace).create({ metadata: { name: "with.dot" } });
      const { causes } = await expectFailure(bad, { code: 422, reason: "Invalid" });
      assert.deepEqual(
        causes.map(({ field }) => field),
        ["metadata.name"],
      );
    },
  },
  {
    id: "GRP25",
    name: "a namespace, the list of namespaces and the contents of a namespace have separate paths",
    async run(context) {
      const { namespace } = context;
      const kindAt = async (path: string) => (await rawRequest(context, { path })).json()["kind"];
      assert.equal(await kindAt("/api/v1/namespaces"), "NamespaceList");
      assert.equal(await kindAt(`/api/v1/namespaces/${namespace}`), "Namespace");
      assert.equal(await kindAt(`/api/v1/namespaces/${namespace}/status`), "Namespace");
      assert.equal(await kindAt(`/api/v1/namespaces/${namespace}/pods`), "PodList");
    },
  },
  {
    id: "list-order",
    name: "a list over all namespaces is sorted by namespace and name",
    async run({ client, namespace }) {
      await client.resource(ConfigMap, namespace).create(configMap("b", {}, { list: namespace }));
      await client.resource(ConfigMap, namespace).create(configMap("a", {}, { list: namespace }));
      await client
        .resource(ConfigMap, "default")
        .create(configMap(`z-${namespace}`, {}, { list: namespace }));
      const { items } = await client
        .resource(ConfigMap)
        .list({ labelSelector: `list=${namespace}` });
      assert.deepEqual(namesOf(items), ["a", "b", `z-${namespace}`]);
    },
  },
  {
    id: "namespace-default-undeletable",
    name: "the namespace default cannot be deleted",
    async run({ client }) {
      await expectFailure(client.resource(Namespace).delete("default"), {
        code: 403,
        reason: "Forbidden",
        message: 'namespaces "default" is forbidden: this namespace may not be deleted',
      });
    },
  },
  {
    id: "namespace-terminating",
    name: "a create in a terminating namespace responds with Forbidden",
    async run({ client, namespace }) {
      const name = `${namespace}-going`;
      const all = client.resource(Namespace);
      // Our own finalizer keeps the namespace, whatever controllers do.
      await all.create({ metadata: { name, finalizers: ["x.io/hold"] } });
      await all.delete(name);
      const going = await all.get(name);
      assert.ok(going.metadata.deletionTimestamp);
      assert.equal(going.status?.phase, "Terminating");
      await expectFailure(client.resource(ConfigMap, name).create(configMap("a")), {
        code: 403,
        reason: "Forbidden",
        message: `configmaps "a" is forbidden: unable to create new content in namespace ${name} because it is being terminated`,
        causes: [
          {
            reason: "NamespaceTerminating",
            message: `namespace ${name} is being terminated`,
            field: "metadata.namespace",
          },
        ],
      });
    },
  },
];
