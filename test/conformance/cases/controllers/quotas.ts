import assert from "node:assert/strict";
import { ReplicaSet } from "@typekube/api/apps/v1";
import { ConfigMap, Pod, ResourceQuota, Service } from "@typekube/api/core/v1";
import { mergePatch } from "typekube";
import { expectFailure } from "../../support/expect-failure.js";
import { configMap, pod } from "../../support/objects.js";
import { type ControllerCase, type ControllerContext, listUntil } from "./controller-case.js";

type Amounts = Record<string, string>;

/** Waits until the namespace's only quota reports this usage. */
async function untilUsed(context: ControllerContext, used: Amounts) {
  const wanted = JSON.stringify(used);
  const [quota] = await listUntil(context, ResourceQuota, ([one]) => {
    const found = one?.status?.used;
    return found !== undefined && JSON.stringify(sorted(found)) === wanted;
  });
  return quota;
}

function sorted(amounts: Readonly<Record<string, number | string>>) {
  return Object.fromEntries(Object.entries(amounts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Cases for the status of quotas. */
export const quotas: readonly ControllerCase[] = [
  {
    id: "quota-status",
    name: "the status of a ResourceQuota reports the limits and the usage, and follows the spec",
    async run(context) {
      const { client, namespace } = context;
      await listUntil(context, ConfigMap, (items) => items.length > 0);
      await client.resource(ConfigMap, namespace).create(configMap("a"));
      await client.resource(Pod, namespace).create(pod("a"));
      const quotas = client.resource(ResourceQuota, namespace);
      const hard = { "count/configmaps": "3", pods: "2", "requests.memory": "1Gi" };
      await quotas.create({ metadata: { name: "quota" }, spec: { hard } });
      const quota = await untilUsed(context, {
        "count/configmaps": "2",
        pods: "1",
        "requests.memory": "0",
      });
      assert.deepEqual(quota?.status?.hard, hard);
      const owner = quota?.metadata.managedFields?.find(({ subresource }) => subresource);
      assert.deepEqual([owner?.manager, owner?.operation], ["kube-controller-manager", "Update"]);

      await quotas.patch(
        "quota",
        mergePatch({ spec: { hard: { pods: null, "requests.memory": null, services: "1" } } }),
      );
      const changed = await untilUsed(context, { "count/configmaps": "2", services: "0" });
      assert.deepEqual(changed?.status?.hard, { "count/configmaps": "3", services: "1" });
    },
  },
  {
    id: "quota-room",
    name: "a deleted object or a finished pod releases its quota",
    async run(context) {
      const { client, namespace } = context;
      const pods = client.resource(Pod, namespace);
      const hard = { "count/pods": "9", pods: "2", services: "1", "services.nodeports": "1" };
      await client.resource(ResourceQuota, namespace).create({
        metadata: { name: "quota" },
        spec: { hard },
      });
      const none = { "count/pods": "0", pods: "0", services: "0", "services.nodeports": "0" };
      await untilUsed(context, none);
      await pods.create(pod("a"));
      await pods.create(pod("b"));
      await expectFailure(pods.create(pod("c")), {
        code: 403,
        reason: "Forbidden",
        message:
          'pods "c" is forbidden: exceeded quota: quota, requested: pods=1, used: pods=2, limited: pods=2',
      });
      await pods.status.patch("a", mergePatch({ status: { phase: "Succeeded" } }));
      await untilUsed(context, { ...none, "count/pods": "2", pods: "1" });
      await pods.create(pod("c"));
      await pods.delete("b", { gracePeriodSeconds: 0 });
      await untilUsed(context, { ...none, "count/pods": "2", pods: "1" });

      const services = client.resource(Service, namespace);
      await services.create({
        metadata: { name: "s" },
        spec: { type: "NodePort", ports: [{ port: 80 }] },
      });
      await services.patch("s", mergePatch({ spec: { type: "ClusterIP" } }));
      await untilUsed(context, { ...none, "count/pods": "2", pods: "1", services: "1" });
    },
  },
  {
    id: "quota-replicas",
    name: "a ReplicaSet creates as many pods as the quota allows and reports why there are no more",
    async run(context) {
      const { client, namespace } = context;
      const quotas = client.resource(ResourceQuota, namespace);
      await quotas.create({ metadata: { name: "quota" }, spec: { hard: { pods: "1" } } });
      await untilUsed(context, { pods: "0" });
      const labels = { app: "a" };
      const { spec } = pod("a");
      await client.resource(ReplicaSet, namespace).create({
        metadata: { name: "a" },
        spec: {
          replicas: 2,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec },
        },
      });
      const [set] = await listUntil(context, ReplicaSet, ([one]) =>
        Boolean(one?.status?.replicas === 1 && one.status.conditions),
      );
      const [condition] = set?.status?.conditions ?? [];
      assert.deepEqual(
        [condition?.type, condition?.status, condition?.reason],
        ["ReplicaFailure", "True", "FailedCreate"],
      );
      assert.match(
        condition?.message ?? "",
        /^pods "a-\w{5}" is forbidden: exceeded quota: quota, requested: pods=1, used: pods=1, limited: pods=1$/,
      );
    },
  },
];
