import assert from "node:assert/strict";
import type { KubeObject } from "@typekube/api";
import { ConfigMap, Namespace, Pod } from "@typekube/api/core/v1";
import { mergePatch } from "@typekube/client";
import type { ConformanceCase } from "../conformance-case.js";
import { customDefinition, customResource, version } from "../support/custom-resources.js";
import { deployment, pod } from "../support/objects.js";
import { accepted, rawCollection, refused } from "../support/raw-collection.js";
import { readObjects } from "../support/read-watch.js";

const owner = (name: string, uid: string) => ({ apiVersion: "v1", kind: "Pod", name, uid });
const labelled = { labels: { l: "1" }, annotations: { a: "1" } };
const owned = { ...labelled, ownerReferences: [owner("p", "1")] };

/** Cases found by comparing every response to writes of every kind. */
export const writesCompared: readonly ConformanceCase[] = [
  {
    id: "DEL4-last-state",
    name: "the DELETED event shows the stored object, not the patch that removed the last finalizer",
    async run({ client, namespace, signal }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.create({
        metadata: { name: "a", finalizers: ["x.io/hold"] },
        data: { k: "1" },
      });
      await configMaps.delete("a");
      const last = await configMaps.patch(
        "a",
        mergePatch({ metadata: { finalizers: null }, data: { k: "2" } }),
      );
      assert.deepEqual([last.metadata.finalizers, last.data], [undefined, { k: "2" }]);
      const { resourceVersion } = metadata;
      const [, end] = await readObjects(configMaps.watch({ resourceVersion, signal }), 2);
      assert.equal(end?.type, "DELETED");
      assert.deepEqual(end?.object.metadata.finalizers, ["x.io/hold"]);
      assert.deepEqual(end?.object.data, { k: "1" });
    },
  },
  {
    id: "DEL4-last-state-of-a-pod",
    name: "the DELETED event of a pod after its grace period also shows the stored object",
    async run({ client, namespace, signal }) {
      const pods = client.resource(Pod, namespace);
      const { spec } = pod("a");
      const { metadata } = await pods.create({
        metadata: { name: "a", finalizers: ["x.io/hold"] },
        spec: { ...spec, containers: spec?.containers ?? [], nodeName: "n" },
      });
      await pods.delete("a", { gracePeriodSeconds: 0 });
      await pods.patch("a", mergePatch({ metadata: { finalizers: null } }));
      const { resourceVersion } = metadata;
      const [, end] = await readObjects(pods.watch({ resourceVersion, signal }), 2);
      assert.equal(end?.type, "DELETED");
      assert.deepEqual(end?.object.metadata.finalizers, ["x.io/hold"]);
    },
  },
  {
    id: "deletion-grace-fixed",
    name: "deletionGracePeriodSeconds is immutable for writers",
    async run(context) {
      const configMaps = rawCollection(context, "/api/v1/%/configmaps");
      await accepted(configMaps.post("", { metadata: { name: "a" } }));
      const late = configMaps.merge("/a", { metadata: { deletionGracePeriodSeconds: 5 } });
      assert.deepEqual(await refused(late), [
        422,
        'ConfigMap "a" is invalid: metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable',
      ]);
    },
  },
  {
    id: "finalizers-too-late-order",
    name: "finalizers added too late are reported in alphabetical order",
    async run(context) {
      const configMaps = rawCollection(context, "/api/v1/%/configmaps");
      await accepted(configMaps.post("", { metadata: { name: "a", finalizers: ["x.io/hold"] } }));
      await accepted(configMaps.delete("/a"));
      const finalizers = ["x.io/hold", "z.io/b", "a.io/c"];
      const [code, why] = await refused(configMaps.merge("/a", { metadata: { finalizers } }));
      assert.equal(code, 422);
      assert.match(why, /found new finalizers \[\]string\{"a\.io\/c", "z\.io\/b"\}$/);
    },
  },
  {
    id: "owners-once",
    name: "a duplicate owner reference is stored once and returns a warning",
    async run(context) {
      const configMaps = rawCollection(context, "/api/v1/%/configmaps");
      const twice = [owner("p", "1"), owner("q", "1"), owner("p", "1")];
      const made = await configMaps.post("", { metadata: { name: "a", ownerReferences: twice } });
      const ownersOf = (object: KubeObject) => object.metadata?.ownerReferences;
      assert.deepEqual(ownersOf(made.json<KubeObject>()), [owner("p", "1"), owner("q", "1")]);
      assert.equal(
        made.headers["warning"],
        '299 - ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: 1"',
      );
      const patched = await configMaps.merge("/a", {
        metadata: { ownerReferences: [owner("p", "2"), owner("p", "2")] },
      });
      assert.deepEqual(ownersOf(patched.json<KubeObject>()), [owner("p", "2")]);
      assert.match(
        patched.headers["warning"] ?? "",
        /contains duplicate entries after mutating admission happens; .* observed: 2"$/,
      );
    },
  },
  {
    id: "warnings-of-refusals",
    name: "a rejected request also returns its warnings",
    async run(context) {
      const deployments = rawCollection(context, "/apis/apps/v1/%/deployments");
      const { metadata, spec } = deployment("a", -1);
      const object = { metadata, spec: { ...spec, foo: 1 } };
      const created = await deployments.post("", object);
      assert.deepEqual(
        [created.status, created.headers["warning"]],
        [422, '299 - "unknown field \\"spec.foo\\""'],
      );
      await accepted(deployments.post("", { ...deployment("a") }));
      const patched = await deployments.merge("/a", { spec: { replicas: -1, foo: 1 } });
      assert.deepEqual(
        [patched.status, patched.headers["warning"]],
        [422, '299 - "unknown field \\"spec.foo\\""'],
      );
    },
  },
  {
    id: "warnings-of-patches",
    name: "unknown fields of a patch are reported in alphabetical order",
    async run(context) {
      const deployments = rawCollection(context, "/apis/apps/v1/%/deployments");
      await accepted(deployments.post("", { ...deployment("a") }));
      const patch = { spec: { template: { zz: 1 }, foo: 1 }, bar: 1 };
      for (const send of [deployments.merge, deployments.strategic]) {
        assert.deepEqual(
          (await send("/a", patch)).headers["warning"]?.match(/unknown field \\"[^"\\]*/g),
          ["bar", "spec.foo", "spec.template.zz"].map((field) => `unknown field \\"${field}`),
        );
      }
    },
  },
  {
    id: "status-metadata",
    name: "a write of the status also writes metadata, with exceptions for some kinds",
    async run(context) {
      const metadataOf = async (path: string, object: object) => {
        const collection = rawCollection(context, path);
        await accepted(collection.post("", { metadata: { name: "a" }, ...object }));
        const patched = collection.merge("/a/status", { metadata: owned });
        const { metadata } = await accepted<KubeObject>(patched);
        return [metadata?.labels, metadata?.annotations, metadata?.ownerReferences];
      };
      const all = [labelled.labels, labelled.annotations, owned.ownerReferences];
      const { spec } = deployment("x");
      assert.deepEqual(await metadataOf("/apis/apps/v1/%/replicasets", { spec }), all);
      const [, ...withoutLabels] = all;
      assert.deepEqual(await metadataOf("/apis/apps/v1/%/deployments", { spec }), [
        undefined,
        ...withoutLabels,
      ]);
      const withoutOwners = [labelled.labels, labelled.annotations, undefined];
      assert.deepEqual(await metadataOf("/api/v1/%/pods", { spec: pod("x").spec }), withoutOwners);
      const devices = { requests: [{ name: "r", exactly: { deviceClassName: "x.io" } }] };
      assert.deepEqual(
        await metadataOf("/apis/resource.k8s.io/v1/%/resourceclaims", { spec: { devices } }),
        [undefined, undefined, undefined],
      );
    },
  },
  {
    id: "namespace-finalize",
    name: "finalizing a namespace keeps its status, and its manager owns the finalizers",
    async run(context) {
      const { client, namespace } = context;
      const name = `${namespace}-finalized`;
      await client.resource(Namespace).create({ metadata: { name } });
      const namespaces = rawCollection(context, "/api/v1/namespaces");
      const finalized = await accepted<Namespace>(
        namespaces.put(`/${name}/finalize?fieldManager=me`, {
          metadata: { name },
          spec: { finalizers: ["kubernetes", "x.io/hold"] },
        }),
      );
      assert.deepEqual(finalized.spec, { finalizers: ["kubernetes", "x.io/hold"] });
      assert.deepEqual(finalized.status, { phase: "Active" });
      const mine = finalized.metadata?.managedFields?.filter(({ manager }) => manager === "me");
      assert.deepEqual(
        mine?.map(({ subresource, fieldsV1 }) => [subresource, fieldsV1]),
        [["finalize", { "f:spec": { "f:finalizers": {} } }]],
      );
    },
  },
  {
    id: "custom-kind-named",
    name: "custom: a body without kind or apiVersion is rejected, not completed from the path",
    needs: ["crd"],
    async run(context) {
      const free = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
      await customResource(context, customDefinition("Nameless", [version(free)]));
      const path = "/apis/custom.typekube.dev/v1/%/namelesss";
      const objects = rawCollection(context, path);
      const apiVersion = "custom.typekube.dev/v1";
      const metadata = { name: "a" };
      assert.deepEqual(await refused(objects.post("", { metadata })), [
        400,
        `the object provided is unrecognized (must be of type Nameless): Object 'Kind' is missing in '{"metadata":{"name":"a"}}' ({"metadata":{"name":"a"}})`,
      ]);
      const [status, why] = await refused(objects.post("", { apiVersion, metadata }));
      assert.equal(status, 400);
      assert.match(why, /\(\{"apiVersion":"custom\.typekube \.\.\.\)$/);
      assert.deepEqual(await refused(objects.post("", { kind: "Nameless", metadata })), [
        400,
        `the API version in the data () does not match the expected API version (${apiVersion})`,
      ]);
      await accepted(objects.post("", { kind: "Nameless", apiVersion, metadata }));
    },
  },
];
