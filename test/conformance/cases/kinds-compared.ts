import assert from "node:assert/strict";
import type { Node, PersistentVolumeClaim } from "@typekube/api/core/v1";
import type { ConformanceCase } from "../conformance-case.js";
import { configMap, deployment, pod } from "../support/objects.js";
import { accepted, rawCollection, refused } from "../support/raw-collection.js";

const noKind = (kind: string, version: string) =>
  `no kind "${kind}" is registered for version "${version}" in scheme "pkg/runtime/scheme.go:111"`;

/** Cases found by sending each kind the bodies of other kinds and changes of its own, on both servers. */
export const kindsCompared: readonly ConformanceCase[] = [
  {
    id: "body-of-another-kind",
    name: "the errors for a body of another kind and of an unknown kind differ, also for subresources",
    async run(context) {
      const configMaps = rawCollection(context, "/api/v1/%/configmaps");
      const post = (head: object) => refused(configMaps.post("", { ...configMap("a"), ...head }));
      assert.deepEqual(await post({ apiVersion: "apps/v1", kind: "Deployment" }), [
        400,
        'Deployment in version "v1" cannot be handled as a ConfigMap: converting (v1.Deployment) to (core.ConfigMap): unknown conversion',
      ]);
      assert.deepEqual(await post({ apiVersion: "v1", kind: "configmap" }), [
        400,
        `configmap in version "v1" cannot be handled as a ConfigMap: ${noKind("configmap", "v1")}`,
      ]);
      const pods = rawCollection(context, "/api/v1/%/pods");
      await accepted(pods.post("", { ...pod("a") }));
      const evict = (head: object) =>
        pods.post("/a/eviction", { metadata: { name: "a" }, ...head });
      assert.deepEqual(await refused(evict({ apiVersion: "v1", kind: "Eviction" })), [
        400,
        `Eviction in version "v1" cannot be handled as a Eviction: ${noKind("Eviction", "v1")}`,
      ]);
      assert.deepEqual(await refused(evict({ apiVersion: "v1", kind: "Binding" })), [
        400,
        'Binding in version "v1" cannot be handled as a Eviction: converting (v1.Binding) to (policy.Eviction): unknown conversion',
      ]);
      await accepted(evict({ apiVersion: "policy/v1beta1", kind: "Eviction" }));
    },
  },
  {
    id: "node-completed",
    name: "a Node's allocatable defaults to its capacity, podCIDR to podCIDRs; its taints must be unique and valid",
    async run(context) {
      const nodes = rawCollection(context, "/api/v1/nodes");
      const metadata = { name: context.namespace };
      const made = await accepted<Node>(
        nodes.post("", {
          metadata,
          spec: { podCIDRs: ["10.7.0.0/24"] },
          status: { capacity: { cpu: "4" } },
        }),
      );
      assert.equal(made.spec?.podCIDR, "10.7.0.0/24");
      assert.deepEqual(made.status?.allocatable, { cpu: "4" });
      const taint = { key: "a", effect: "NoSchedule" };
      const change = (spec: object) => nodes.merge(`/${metadata.name}`, { spec });
      const invalid = `Node "${metadata.name}" is invalid:`;
      assert.deepEqual(await refused(change({ taints: [taint, taint] })), [
        422,
        `${invalid} metadata.taints[1]: Duplicate value: {"Key":"a","Value":"","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair`,
      ]);
      assert.deepEqual(await refused(change({ taints: [{ key: "a", effect: "Odd" }] })), [
        422,
        `${invalid} metadata.taints[0].effect: Unsupported value: "Odd": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"`,
      ]);
      assert.equal((await refused(change({ podCIDR: "10.8.0.0/24" })))[0], 422);
      await accepted(nodes.delete(`/${metadata.name}`));
    },
  },
  {
    id: "claim-both-sources",
    name: "the server copies the dataSource of a claim to its dataSourceRef",
    async run(context) {
      const claims = rawCollection(context, "/api/v1/%/persistentvolumeclaims");
      const spec = {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
        dataSource: { kind: "PersistentVolumeClaim", name: "b" },
      };
      const made = await accepted<PersistentVolumeClaim>(
        claims.post("", { metadata: { name: "a" }, spec }),
      );
      assert.deepEqual(made.spec?.dataSourceRef, {
        apiGroup: null,
        kind: "PersistentVolumeClaim",
        name: "b",
      });
    },
  },
  {
    id: "workload-strategies",
    name: "an update strategy of another type keeps no parameters of the old one",
    async run(context) {
      const { selector, template } = deployment("a").spec ?? {};
      const sets = rawCollection(context, "/apis/apps/v1/%/statefulsets");
      const set = { selector, template, serviceName: "s" };
      await accepted(sets.post("", { metadata: { name: "a" }, spec: set }));
      const onDelete = sets.merge("/a", { spec: { updateStrategy: { type: "OnDelete" } } });
      assert.match(
        (await refused(onDelete))[1],
        /spec\.updateStrategy\.rollingUpdate: Invalid value: \{"Partition":0,"MaxUnavailable":1\}: only allowed for updateStrategy 'RollingUpdate'$/,
      );
      const claim = { metadata: { name: "v" }, spec: { accessModes: ["ReadWriteOnce"] } };
      const stored = { ...set, volumeClaimTemplates: [claim] };
      assert.deepEqual(await refused(sets.post("", { metadata: { name: "b" }, spec: stored })), [
        422,
        'StatefulSet.apps "b" is invalid: spec.volumeClaimTemplates[0].spec.resources[storage]: Required value',
      ]);
      const daemons = rawCollection(context, "/apis/apps/v1/%/daemonsets");
      const both = { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } };
      const daemon = { selector, template, updateStrategy: both };
      const surging = daemons.post("", { metadata: { name: "a" }, spec: daemon });
      assert.match(
        (await refused(surging))[1],
        /maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero$/,
      );
    },
  },
  {
    id: "job-suspended-changes",
    name: "the pod resources of a suspended Job can be changed; managedBy is immutable",
    async run(context) {
      const jobs = rawCollection(context, "/apis/batch/v1/%/jobs");
      const [container] = pod("x").spec?.containers ?? [];
      const template = (more: object = {}) => ({
        spec: { restartPolicy: "Never", containers: [{ ...container, ...more }] },
      });
      const spec = { suspend: true, template: template() };
      await accepted(jobs.post("", { metadata: { name: "a" }, spec }));
      const resources = { requests: { cpu: "1" } };
      await accepted(jobs.merge("/a", { spec: { template: template({ resources }) } }));
      assert.equal(
        (await refused(jobs.merge("/a", { spec: { template: template({ image: "o" }) } })))[0],
        422,
      );
      assert.deepEqual(await refused(jobs.merge("/a", { spec: { managedBy: "x.io/m" } })), [
        422,
        'Job.batch "a" is invalid: spec.managedBy: Invalid value: "x.io/m": field is immutable',
      ]);
    },
  },
];
