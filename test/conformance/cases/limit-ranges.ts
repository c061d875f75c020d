import assert from "node:assert/strict";
import {
  LimitRange,
  type LimitRangeItem,
  PersistentVolumeClaim,
  Pod,
  type ResourceRequirements,
} from "@typekube/api/core/v1";
import { strategicPatch } from "@typekube/client";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { until } from "../support/until.js";

const image = "registry.k8s.io/pause:3.10";
const dryRun = { dryRun: "All" } as const;

/** Returns a pod whose containers have these resources. */
function podOf(name: string, ...resources: ResourceRequirements[]): Pod {
  const containers = resources.map((one, at) => ({ name: `c${at}`, image, resources: one }));
  return { metadata: { name }, spec: { containers } };
}

/** Creates a LimitRange and waits until it takes effect: real servers read it from a cache. */
async function limited(context: ConformanceContext, ...limits: LimitRangeItem[]): Promise<void> {
  const { client, namespace } = context;
  await client
    .resource(LimitRange, namespace)
    .create({ metadata: { name: "limits" }, spec: { limits } });
  const probe = async () => {
    const given = await client
      .resource(Pod, namespace)
      .create(podOf("probe", {}), dryRun)
      .then(
        ({ metadata }) => metadata.annotations !== undefined,
        () => true,
      );
    const claim = await client
      .resource(PersistentVolumeClaim, namespace)
      .create(claimOf("probe", "1"), dryRun)
      .then(
        () => false,
        () => true,
      );
    return given || claim;
  };
  await until(context, probe);
}

function claimOf(name: string, storage: string): PersistentVolumeClaim {
  return {
    metadata: { name },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
  };
}

function refusal(name: string, message: string, plural = "pods") {
  return {
    code: 403,
    reason: "Forbidden",
    message: `${plural} "${name}" is forbidden: ${message}`,
    details: { name, kind: plural },
    causes: [],
  } as const;
}

const type = "Container";

/** Limits, containers that violate them, and the messages. */
const refused: readonly (readonly [
  id: string,
  name: string,
  limit: LimitRangeItem,
  containers: readonly ResourceRequirements[],
  message: string,
])[] = [
  [
    "min-request",
    "a container may not ask for less than the minimum",
    { type, min: { cpu: "100m" } },
    [{ requests: { cpu: "50m" }, limits: { cpu: "1" } }],
    "minimum cpu usage per Container is 100m, but request is 50m",
  ],
  [
    "min-nothing",
    "a pod has to ask for what has a minimum",
    { type: "Pod", min: { cpu: "100m" } },
    [{}],
    "minimum cpu usage per Pod is 100m.  No request is specified",
  ],
  [
    "max-limit",
    "a container may not use more than the maximum",
    { type, max: { memory: "1Gi" }, default: { memory: "1Gi" } },
    [{ limits: { memory: "2048Mi" } }],
    "maximum memory usage per Container is 1Gi, but limit is 2Gi",
  ],
  [
    "max-nothing",
    "a pod has to say what it uses of what has a maximum",
    { type: "Pod", max: { "example.com/gpu": "1" } },
    [{}],
    "maximum example.com/gpu usage per Pod is 1.  No limit is specified",
  ],
  [
    "ratio",
    "what a container may use is so many times what it asks for, at most",
    { type, maxLimitRequestRatio: { cpu: "2" } },
    [{ requests: { cpu: "300m" }, limits: { cpu: "1" } }],
    "cpu max limit to request ratio per Container is 2, but provided ratio is 3.333333",
  ],
  [
    "ratio-nothing",
    "where there is a ratio there has to be a request",
    { type, maxLimitRequestRatio: { cpu: "1500m" } },
    [{}],
    "cpu max limit to request ratio per Container is 1500m, but no request is specified or request is 0",
  ],
  [
    "ratio-no-limit",
    "where there is a ratio there has to be a limit",
    { type, maxLimitRequestRatio: { memory: "2" } },
    [{ requests: { memory: "1Mi" } }],
    "memory max limit to request ratio per Container is 2, but no limit is specified or limit is 0",
  ],
  [
    "several",
    "one message reports all violations, each text once",
    { type, max: { cpu: "1" }, default: { cpu: "1" } },
    [{ limits: { cpu: "2" } }, { limits: { cpu: "3" } }, { limits: { cpu: "2" } }],
    "[maximum cpu usage per Container is 1, but limit is 2, maximum cpu usage per Container is 1, but limit is 3]",
  ],
  [
    "pod-max",
    "a pod is the sum of its containers",
    { type: "Pod", max: { memory: "1Gi" } },
    [{ limits: { memory: "768Mi" } }, { limits: { memory: "512Mi" } }],
    "maximum memory usage per Pod is 1Gi, but limit is 1280Mi",
  ],
  [
    "pod-min",
    "a pod has a minimum too",
    { type: "Pod", min: { cpu: "1" } },
    [{ requests: { cpu: "400m" } }, { requests: { cpu: "500m" } }],
    "minimum cpu usage per Pod is 1, but request is 900m",
  ],
];

/** Cases for LimitRanges: defaults for containers, pods and claims, and their limits. */
export const limitRanges: readonly ConformanceCase[] = [
  {
    id: "limits-defaults",
    name: "containers without resources get the defaults, with an annotation; no manager owns them",
    async run(context) {
      const { client, namespace } = context;
      await limited(context, {
        type,
        default: { cpu: "1", memory: "1Gi" },
        defaultRequest: { cpu: "0.1" },
      });
      const made = await client.resource(Pod, namespace).create({
        metadata: { name: "a" },
        spec: {
          initContainers: [{ name: "i", image }],
          containers: [
            { name: "c", image },
            { name: "d", image, resources: { limits: { memory: "2Gi" }, requests: { cpu: "2m" } } },
          ],
        },
      });
      // Defaulting of the LimitRange itself makes a default limit a default request too.
      const given = {
        limits: { cpu: "1", memory: "1Gi" },
        requests: { cpu: "100m", memory: "1Gi" },
      };
      assert.deepEqual(made.spec?.initContainers?.[0]?.resources, given);
      assert.deepEqual(
        made.spec?.containers.map(({ resources }) => resources),
        [given, { limits: { cpu: "1", memory: "2Gi" }, requests: { cpu: "2m", memory: "2Gi" } }],
      );
      assert.deepEqual(made.metadata.annotations, {
        "kubernetes.io/limit-ranger":
          "LimitRanger plugin set: cpu, memory request for container c; cpu, memory limit for container c; cpu limit for container d; cpu, memory request for init container i; cpu, memory limit for init container i",
      });
      assert.equal(made.status?.qosClass, "Burstable");
      const [owner, ...others] = made.metadata.managedFields ?? [];
      assert.deepEqual(others, []);
      const owned = JSON.stringify(owner?.fieldsV1);
      assert.ok(!owned.includes("f:annotations"), owned);
      assert.ok(!owned.includes('f:limits":{"f:cpu'), owned);
    },
  },
  ...refused.map(
    ([id, name, limit, containers, message]): ConformanceCase => ({
      id: `limits-${id}`,
      name,
      async run(context) {
        const pods = context.client.resource(Pod, context.namespace);
        await limited(context, limit);
        const wrong = podOf("a", ...containers);
        await expectFailure(pods.create(wrong, dryRun), refusal("a", message));
        await expectFailure(pods.create(wrong), refusal("a", message));
      },
    }),
  ),
  {
    id: "limits-init-containers",
    name: "of init containers only the largest counts; sidecars count in addition",
    async run(context) {
      const pods = context.client.resource(Pod, context.namespace);
      await limited(context, { type: "Pod", max: { cpu: "2" } });
      const part = (name: string, cpu: string) => ({ name, image, resources: { limits: { cpu } } });
      const initContainers = [part("i", "1500m"), part("j", "2")];
      const containers = [part("c", "1")];
      await pods.create({ metadata: { name: "a" }, spec: { initContainers, containers } });
      const staying = { ...part("k", "500m"), restartPolicy: "Always" };
      const spec = { initContainers: [staying, ...initContainers], containers };
      await expectFailure(
        pods.create({ metadata: { name: "b" }, spec }),
        refusal("b", "maximum cpu usage per Pod is 2, but limit is 2500m"),
      );
    },
  },
  {
    id: "limits-claims",
    name: "a LimitRange sets a minimum and a maximum storage for claims",
    async run(context) {
      const { client, namespace } = context;
      const claims = client.resource(PersistentVolumeClaim, namespace);
      await limited(context, {
        type: "PersistentVolumeClaim",
        min: { storage: "1Gi" },
        max: { storage: "5Gi" },
      });
      const rule = "storage usage per PersistentVolumeClaim is";
      await expectFailure(
        claims.create(claimOf("a", "100Mi")),
        refusal("a", `minimum ${rule} 1Gi, but request is 100Mi`, "persistentvolumeclaims"),
      );
      await expectFailure(
        claims.create(claimOf("a", "6Gi")),
        refusal("a", `maximum ${rule} 5Gi, but request is 6Gi`, "persistentvolumeclaims"),
      );
      await claims.create(claimOf("a", "5Gi"));
    },
  },
  {
    id: "limits-resize",
    name: "a resize of a pod must respect the LimitRange",
    async run(context) {
      const { client, namespace } = context;
      const pods = client.resource(Pod, namespace);
      await limited(context, { type, max: { cpu: "1" }, default: { cpu: "500m" } });
      await pods.create(podOf("a", {}));
      const resized = (cpu: string) =>
        strategicPatch<Pod>({
          spec: { containers: [{ name: "c0", image, resources: { limits: { cpu } } }] },
        });
      await expectFailure(
        pods.resize.patch("a", resized("2")),
        refusal("a", "maximum cpu usage per Container is 1, but limit is 2"),
      );
      const now = await pods.resize.patch("a", resized("800m"));
      assert.equal(now.spec?.containers[0]?.resources?.limits?.["cpu"], "800m");
    },
  },
  {
    id: "limits-order",
    name: "validation errors are reported before LimitRange errors, a taken name after them",
    async run(context) {
      const { client, namespace } = context;
      const pods = client.resource(Pod, namespace);
      await limited(context, { type, max: { cpu: "1" } });
      const fits = podOf("a", { limits: { cpu: "1" } });
      await pods.create(fits);
      await expectFailure(pods.create(fits), { code: 409, reason: "AlreadyExists" });
      const large = podOf("a", { limits: { cpu: "2" } });
      await expectFailure(
        pods.create(large),
        refusal("a", "maximum cpu usage per Container is 1, but limit is 2"),
      );
      const wrong = podOf("A", { limits: { cpu: "2" } });
      await expectFailure(pods.create(wrong), { code: 422, reason: "Invalid" });
    },
  },
];
