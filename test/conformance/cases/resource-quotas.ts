import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import {
  ConfigMap,
  PersistentVolumeClaim,
  Pod,
  type PodSpec,
  ResourceQuota,
  type ResourceQuotaSpec,
  Secret,
  Service,
} from "@typekube/api/core/v1";
import { mergePatch } from "@typekube/client";
import { isForbidden } from "@typekube/core";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { configMap, deployment } from "../support/objects.js";
import { until } from "../support/until.js";
import { widgetsIn } from "../support/widgets.js";

const image = "registry.k8s.io/pause:3.10";
const dryRun = { dryRun: "All" } as const;

type Amounts = Record<string, string>;

/** A quota with the usage for its status, which the case itself writes because no controller does. */
interface GivenQuota extends ResourceQuotaSpec {
  readonly used?: Amounts;
}

/**
 * Creates a quota and waits until it takes effect: real servers read it from a cache. Once a second quota prevents the
 * creation of a ConfigMap, the cache holds both.
 */
async function withQuota(
  context: ConformanceContext,
  { used, ...spec }: GivenQuota,
  name = "quota",
): Promise<void> {
  const { client, namespace } = context;
  const quotas = client.resource(ResourceQuota, namespace);
  const hard = spec.hard ?? {};
  await quotas.create({ metadata: { name }, spec });
  const none = Object.fromEntries(Object.keys(hard).map((one) => [one, "0"]));
  await quotas.status.patch(name, mergePatch({ status: { hard, used: used ?? none } }));
  const gate = `gate-of-${name}`;
  const nothing = { "count/leases.coordination.k8s.io": "0", "count/configmaps": "0" };
  await quotas.create({ metadata: { name: gate }, spec: { hard: nothing } });
  await quotas.status.patch(gate, mergePatch({ status: { hard: nothing, used: nothing } }));
  const probe = () =>
    client
      .resource(ConfigMap, namespace)
      .create(configMap("probe"), dryRun)
      .then(
        () => false,
        (error: unknown) => isForbidden(error) && String(error).includes(gate),
      );
  await until(context, async () => (await probe()) || hard["count/configmaps"] === "0");
  await quotas.delete(gate);
  await until(context, async () => !(await probe()));
}

async function usedIn({ client, namespace }: ConformanceContext, name = "quota") {
  return (await client.resource(ResourceQuota, namespace).get(name)).status?.used;
}

function podOf(name: string, spec: Partial<PodSpec> = {}, requests?: Amounts): Pod {
  const container = { name: "c", image, ...(requests && { resources: { requests } }) };
  return { metadata: { name }, spec: { containers: [container], ...spec } };
}

function refusal(name: string, message: string, kind = "pods", group?: string) {
  const plural = group === undefined ? kind : `${kind}.${group}`;
  return {
    code: 403,
    reason: "Forbidden",
    message: `${plural} "${name}" is forbidden: ${message}`,
    details: { name, ...(group === undefined ? {} : { group }), kind },
    causes: [],
  } as const;
}

const deadline = { activeDeadlineSeconds: 60 };
const small = { cpu: "1m" };

/** Scopes of a pod quota, pods that count and pods that do not. */
const scopes: readonly (readonly [
  id: string,
  spec: ResourceQuotaSpec,
  counted: readonly Pod[],
  others: readonly Pod[],
])[] = [
  ["best-effort", { scopes: ["BestEffort"] }, [podOf("a")], [podOf("b", {}, small)]],
  ["not-best-effort", { scopes: ["NotBestEffort"] }, [podOf("a", {}, small)], [podOf("b")]],
  ["terminating", { scopes: ["Terminating"] }, [podOf("a", deadline)], [podOf("b")]],
  ["not-terminating", { scopes: ["NotTerminating"] }, [podOf("a")], [podOf("b", deadline)]],
  [
    "both",
    { scopes: ["BestEffort", "Terminating"] },
    [podOf("a", deadline)],
    [podOf("b"), podOf("c", deadline, small)],
  ],
  [
    "priority-class",
    {
      scopeSelector: {
        matchExpressions: [
          { scopeName: "PriorityClass", operator: "In", values: ["system-node-critical"] },
        ],
      },
    },
    [podOf("a", { priorityClassName: "system-node-critical" })],
    [podOf("b"), podOf("c", { priorityClassName: "system-cluster-critical" })],
  ],
  [
    "priority-class-other",
    {
      scopeSelector: {
        matchExpressions: [
          { scopeName: "PriorityClass", operator: "NotIn", values: ["system-node-critical"] },
        ],
      },
    },
    [podOf("a"), podOf("b", { priorityClassName: "system-cluster-critical" })],
    [podOf("c", { priorityClassName: "system-node-critical" })],
  ],
  [
    "any-priority-class",
    { scopes: ["PriorityClass"] },
    [podOf("a", { priorityClassName: "system-node-critical" })],
    [podOf("b")],
  ],
  [
    "affinity",
    { scopes: ["CrossNamespacePodAffinity"] },
    [
      podOf("a", {
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: "zone", namespaces: ["default"] },
            ],
          },
        },
      }),
    ],
    [podOf("b")],
  ],
];

/** Cases for the server's part of ResourceQuotas: it updates the status that a controller has written first. */
export const resourceQuotas: readonly ConformanceCase[] = [
  {
    id: "quota-no-status",
    name: "a quota without a status limits nothing",
    async run(context) {
      const { client, namespace } = context;
      const quotas = client.resource(ResourceQuota, namespace);
      const spec = { hard: { "count/configmaps": "0" } };
      await quotas.create({ metadata: { name: "quota" }, spec });
      await client.resource(ConfigMap, namespace).create(configMap("a"));
      assert.deepEqual((await quotas.get("quota")).status, {});
    },
  },
  {
    id: "quota-exceeded",
    name: "a create beyond the quota is rejected; the server counts successful creates",
    async run(context) {
      const { client, namespace } = context;
      const pods = client.resource(Pod, namespace);
      const hard = { pods: "3", "requests.cpu": "2", memory: "4Gi" };
      await withQuota(context, {
        hard,
        used: { pods: "1", "requests.cpu": "500m", memory: "1Gi" },
      });
      const requests = { cpu: "700m", memory: "512Mi" };
      await pods.create(podOf("a", {}, requests), dryRun);
      assert.equal((await usedIn(context))?.["requests.cpu"], "500m");

      await pods.create(podOf("a", {}, requests));
      const { status, metadata } = await client.resource(ResourceQuota, namespace).get("quota");
      assert.deepEqual(status, {
        hard,
        used: { pods: "2", "requests.cpu": "1200m", memory: "1536Mi" },
      });
      const counted = metadata.managedFields?.find(({ manager }) => manager === "kube-apiserver");
      assert.deepEqual(
        [counted?.operation, counted?.subresource, counted?.fieldsV1],
        [
          "Update",
          "status",
          { "f:status": { "f:used": { "f:memory": {}, "f:pods": {}, "f:requests.cpu": {} } } },
        ],
      );

      const exceeded =
        "exceeded quota: quota, requested: memory=3Gi,requests.cpu=1, used: memory=1536Mi,requests.cpu=1200m, limited: memory=4Gi,requests.cpu=2";
      const large = podOf("b", {}, { cpu: "1", memory: "3Gi" });
      await expectFailure(pods.create(large, dryRun), refusal("b", exceeded));
      await expectFailure(pods.create(large), refusal("b", exceeded));
      assert.equal((await usedIn(context))?.["pods"], "2");
    },
  },
  {
    id: "quota-must-specify",
    name: "with a quota on cpu or memory, every container must set its resources",
    async run(context) {
      const { client, namespace } = context;
      const pods = client.resource(Pod, namespace);
      const hard = {
        "requests.cpu": "1",
        "limits.memory": "1Gi",
        "requests.ephemeral-storage": "1",
      };
      await withQuota(context, { hard });
      const containers = [
        { name: "d", image },
        { name: "c", image, resources: { requests: { cpu: "1m" } } },
      ];
      const initContainers = [{ name: "b", image, resources: { limits: { memory: "1Mi" } } }];
      await expectFailure(
        pods.create({ metadata: { name: "a" }, spec: { containers, initContainers } }),
        refusal(
          "a",
          "failed quota: quota: must specify limits.memory for: c,d; requests.cpu for: b,d",
        ),
      );
    },
  },
  {
    id: "quota-unknown",
    name: "a quota without known usage rejects every create",
    async run(context) {
      const { client, namespace } = context;
      await withQuota(context, {
        hard: { secrets: "5", "count/secrets": "5", services: "5" },
        used: { secrets: "0", services: "0" },
      });
      await expectFailure(
        client.resource(Secret, namespace).create({ metadata: { name: "a" } }),
        refusal(
          "a",
          "status unknown for quota: quota, resources: count/secrets,secrets",
          "secrets",
        ),
      );
    },
  },
  {
    id: "quota-counts",
    name: "count/ counts objects of any kind, some kinds also by their legacy names",
    async run(context) {
      const { client, namespace } = context;
      const hard = {
        configmaps: "1",
        "count/configmaps": "5",
        "count/deployments.apps": "1",
        "count/widgets.conformance.typekube.dev": "1",
      };
      await withQuota(context, { hard });
      await client.resource(ConfigMap, namespace).create(configMap("a"));
      await client.resource(Deployment, namespace).create(deployment("a"));
      await widgetsIn(client, namespace).create({ metadata: { name: "a" } });
      assert.deepEqual(await usedIn(context), {
        configmaps: "1",
        "count/configmaps": "1",
        "count/deployments.apps": "1",
        "count/widgets.conformance.typekube.dev": "1",
      });
      const exceeded = (name: string) =>
        `exceeded quota: quota, requested: ${name}=1, used: ${name}=1, limited: ${name}=1`;
      await expectFailure(
        client.resource(ConfigMap, namespace).create(configMap("b")),
        refusal("b", exceeded("configmaps"), "configmaps"),
      );
      await expectFailure(
        client.resource(Deployment, namespace).create(deployment("b")),
        refusal("b", exceeded("count/deployments.apps"), "deployments", "apps"),
      );
      await expectFailure(
        widgetsIn(client, namespace).create({ metadata: { name: "b" } }),
        refusal(
          "b",
          exceeded("count/widgets.conformance.typekube.dev"),
          "widgets",
          "conformance.typekube.dev",
        ),
      );
    },
  },
  {
    id: "quota-services",
    name: "services are counted by ports and types, also when a patch changes them",
    async run(context) {
      const { client, namespace } = context;
      const services = client.resource(Service, namespace);
      const hard = { services: "3", "services.nodeports": "3", "services.loadbalancers": "1" };
      await withQuota(context, { hard });
      const ports = [
        { name: "a", port: 80 },
        { name: "b", port: 81 },
      ];
      await services.create({ metadata: { name: "a" }, spec: { ports } });
      await services.patch("a", mergePatch({ spec: { type: "NodePort" } }));
      assert.deepEqual(await usedIn(context), {
        services: "1",
        "services.nodeports": "2",
        "services.loadbalancers": "0",
      });
      const balanced = (name: string, more: object = {}): Service => ({
        metadata: { name },
        spec: { type: "LoadBalancer", ports, ...more },
      });
      await expectFailure(
        services.create(balanced("b")),
        refusal(
          "b",
          "exceeded quota: quota, requested: services.nodeports=2, used: services.nodeports=2, limited: services.nodeports=3",
          "services",
        ),
      );
      await services.create(balanced("b", { allocateLoadBalancerNodePorts: false }));
      assert.deepEqual(await usedIn(context), {
        services: "2",
        "services.nodeports": "2",
        "services.loadbalancers": "1",
      });
      // A decrease stays counted until a controller recalculates the usage.
      await services.patch("a", mergePatch({ spec: { type: "ClusterIP" } }));
      assert.equal((await usedIn(context))?.["services.nodeports"], "2");
    },
  },
  {
    id: "quota-claims",
    name: "claims are counted by storage, in total and by storage class",
    async run(context) {
      const { client, namespace } = context;
      const claims = client.resource(PersistentVolumeClaim, namespace);
      const ofClass = "gold.storageclass.storage.k8s.io/";
      const hard = {
        "requests.storage": "10Gi",
        persistentvolumeclaims: "5",
        [`${ofClass}requests.storage`]: "3Gi",
        [`${ofClass}persistentvolumeclaims`]: "5",
      };
      await withQuota(context, { hard });
      const claim = (
        name: string,
        storage: string,
        storageClassName?: string,
      ): PersistentVolumeClaim => ({
        metadata: { name },
        spec: {
          accessModes: ["ReadWriteOnce"],
          resources: { requests: { storage } },
          ...(storageClassName && { storageClassName }),
        },
      });
      await claims.create(claim("a", "4Gi"));
      await claims.create(claim("b", "2Gi", "gold"));
      assert.deepEqual(await usedIn(context), {
        "requests.storage": "6Gi",
        persistentvolumeclaims: "2",
        [`${ofClass}requests.storage`]: "2Gi",
        [`${ofClass}persistentvolumeclaims`]: "1",
      });
      const name = `${ofClass}requests.storage`;
      await expectFailure(
        claims.create(claim("c", "1500Mi", "gold")),
        refusal(
          "c",
          `exceeded quota: quota, requested: ${name}=1500Mi, used: ${name}=2Gi, limited: ${name}=3Gi`,
          "persistentvolumeclaims",
        ),
      );
    },
  },
  ...scopes.map(
    ([id, spec, counted, others]): ConformanceCase => ({
      id: `quota-scope-${id}`,
      name: "a quota with a scope counts only the pods in it",
      async run(context) {
        const pods = context.client.resource(Pod, context.namespace);
        await withQuota(context, { ...spec, hard: { pods: "9" } });
        for (const one of others) {
          await pods.create(one);
        }
        assert.deepEqual(await usedIn(context), { pods: "0" });
        for (const one of counted) {
          await pods.create(one);
        }
        assert.deepEqual(await usedIn(context), { pods: String(counted.length) });
      },
    }),
  ),
  {
    id: "quota-scope-entered",
    name: "a pod that enters the scope of a quota is counted",
    async run(context) {
      const pods = context.client.resource(Pod, context.namespace);
      await withQuota(context, { scopes: ["Terminating"], hard: { pods: "1" } });
      for (const name of ["a", "b"]) {
        await pods.create(podOf(name));
      }
      await pods.patch("a", mergePatch({ spec: deadline }));
      assert.deepEqual(await usedIn(context), { pods: "1" });
      await expectFailure(
        pods.patch("b", mergePatch({ spec: deadline })),
        refusal("b", "exceeded quota: quota, requested: pods=1, used: pods=1, limited: pods=1"),
      );
    },
  },
  {
    id: "quota-extended",
    name: "extended resources and huge pages are counted by their requests",
    async run(context) {
      const pods = context.client.resource(Pod, context.namespace);
      const hard = { "requests.example.com/gpu": "2", "hugepages-2Mi": "8Mi" };
      await withQuota(context, { hard });
      const limits = { "example.com/gpu": "1", "hugepages-2Mi": "4Mi", cpu: "1" };
      const spec = { containers: [{ name: "c", image, resources: { limits } }] };
      await pods.create({ metadata: { name: "a" }, spec });
      assert.deepEqual(await usedIn(context), {
        "requests.example.com/gpu": "1",
        "hugepages-2Mi": "4Mi",
      });
    },
  },
  {
    id: "quota-order",
    name: "validation errors are reported before quota errors, a taken name after them",
    async run(context) {
      const configMaps = context.client.resource(ConfigMap, context.namespace);
      await configMaps.create(configMap("a"));
      await withQuota(context, { hard: { configmaps: "1" }, used: { configmaps: "1" } });
      const why =
        "exceeded quota: quota, requested: configmaps=1, used: configmaps=1, limited: configmaps=1";
      await expectFailure(configMaps.create(configMap("a")), refusal("a", why, "configmaps"));
      await expectFailure(configMaps.create(configMap("b", { "?": "" })), {
        code: 422,
        reason: "Invalid",
      });
      const manager = { fieldManager: "m" };
      await expectFailure(
        configMaps.apply(configMap("b"), manager),
        refusal("b", why, "configmaps"),
      );
      // An existing object may be changed.
      await configMaps.apply(configMap("a", { k: "v" }), manager);
    },
  },
];
