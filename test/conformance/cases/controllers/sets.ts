import assert from "node:assert/strict";
import { DaemonSet, ReplicaSet, StatefulSet } from "@typekube/api/apps/v1";
import { Node, Pod } from "@typekube/api/core/v1";
import { mergePatch } from "typekube";
import { deployment, pod } from "../../support/objects.js";
import { type ControllerCase, isOf, listUntil, makeReady } from "./controller-case.js";

/** Cases for StatefulSets and DaemonSets. */
export const sets: readonly ControllerCase[] = [
  {
    id: "stateful-set-pods",
    name: "a StatefulSet creates its pods in order, each once its predecessor is ready",
    async run(context) {
      const { client, namespace, signal } = context;
      const all = client.resource(StatefulSet, namespace);
      const { metadata, spec } = deployment("db", 2);
      assert.ok(spec);
      const { selector, template } = spec;
      await all.create({ metadata, spec: { serviceName: "db", replicas: 2, selector, template } });
      const [first, ...none] = await listUntil(context, Pod, ({ length }) => length > 0);
      assert.ok(first);
      assert.deepEqual(none, []);
      assert.equal(first.metadata.name, "db-0");
      assert.equal(first.spec?.hostname, "db-0");
      assert.equal(first.spec?.subdomain, "db");
      const revision = first.metadata.labels?.["controller-revision-hash"];
      assert.match(revision ?? "", /^db-[a-z0-9]+$/);
      assert.deepEqual(first.metadata.labels, {
        app: "db",
        "apps.kubernetes.io/pod-index": "0",
        "controller-revision-hash": revision,
        "statefulset.kubernetes.io/pod-name": "db-0",
      });
      await makeReady(context, [first]);
      const both = await listUntil(context, Pod, ({ length }) => length === 2);
      assert.deepEqual(
        both.map(({ metadata: { name } }) => name),
        ["db-0", "db-1"],
      );
      await makeReady(context, both);
      const done = await all.waitFor("db", (found) => found?.status?.readyReplicas === 2, {
        signal,
      });
      assert.equal(done?.status?.currentRevision, revision);
      await all.scale.patch("db", mergePatch({ spec: { replicas: 1 } }));
      const [left] = await listUntil(context, Pod, ({ length }) => length === 1);
      assert.equal(left?.metadata.name, "db-0");
    },
  },
  {
    id: "daemon-set-pods",
    name: "a DaemonSet creates a pod for each node that matches its node selector",
    async run(context) {
      const { client, namespace, signal } = context;
      const nodes = client.resource(Node);
      const names = ["a", "b"].map((name) => `${namespace}-${name}`);
      for (const name of names) {
        await nodes.create({ metadata: { name, labels: { of: namespace } } });
      }
      const { metadata, spec } = deployment("log");
      assert.ok(spec?.template.spec);
      const chosen = { ...spec.template.spec, nodeSelector: { of: namespace } };
      await client.resource(DaemonSet, namespace).create({
        metadata,
        spec: { selector: spec.selector, template: { ...spec.template, spec: chosen } },
      });
      const pods = await listUntil(context, Pod, ({ length }) => length === 2);
      const meant = pods.map(
        (one) =>
          one.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
            ?.nodeSelectorTerms[0]?.matchFields?.[0]?.values?.[0],
      );
      assert.deepEqual(meant.sort(), names);
      for (const one of pods) {
        assert.match(one.metadata.name, /^log-[a-z0-9]{5}$/);
        assert.equal(one.metadata.labels?.["pod-template-generation"], "1");
        assert.deepEqual(
          one.spec?.tolerations?.map(({ key, effect }) => `${key} ${effect}`),
          [
            "node.kubernetes.io/not-ready NoExecute",
            "node.kubernetes.io/unreachable NoExecute",
            "node.kubernetes.io/disk-pressure NoSchedule",
            "node.kubernetes.io/memory-pressure NoSchedule",
            "node.kubernetes.io/pid-pressure NoSchedule",
            "node.kubernetes.io/unschedulable NoSchedule",
          ],
        );
      }
      const counted = await client
        .resource(DaemonSet, namespace)
        .waitFor("log", (found) => found?.status?.currentNumberScheduled === 2, { signal });
      assert.equal(counted?.status?.desiredNumberScheduled, 2);
      assert.equal(counted?.status?.numberReady, 0);
    },
  },
  {
    id: "replica-set-adopts",
    name: "a ReplicaSet adopts pods that match its selector and releases pods that no longer match",
    async run(context) {
      const { client, namespace } = context;
      const pods = client.resource(Pod, namespace);
      await pods.create(pod("free", { app: "web" }));
      const { metadata, spec } = deployment("web", 1);
      assert.ok(spec);
      const { selector, template } = spec;
      const set = await client
        .resource(ReplicaSet, namespace)
        .create({ metadata, spec: { replicas: 1, selector, template } });
      const [adopted, ...none] = await listUntil(context, Pod, (items) => items.every(isOf(set)));
      assert.deepEqual(none, []);
      assert.equal(adopted?.metadata.name, "free");
      await pods.patch("free", mergePatch({ metadata: { labels: { app: null } } }));
      const both = await listUntil(
        context,
        Pod,
        (items) => items.length === 2 && items.filter(isOf(set)).length === 1,
      );
      assert.equal(both.find(isOf(set))?.metadata.name === "free", false);
    },
  },
];
