import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { CronJob } from "@typekube/api/batch/v1";
import { Namespace, Pod, type PodSpec } from "@typekube/api/core/v1";
import { mergePatch } from "@typekube/client";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { until } from "../support/until.js";

const image = "registry.k8s.io/pause:3.10";
const dryRun = { dryRun: "All" } as const;
const prefix = "pod-security.kubernetes.io/";

/** Security context that `restricted` allows. */
const strict = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  runAsNonRoot: true,
  seccompProfile: { type: "RuntimeDefault" },
};

type Fields = Readonly<Record<string, unknown>>;

function podOf(container: Fields = {}, spec: Fields = {}, annotations = {}): Pod {
  const containers = [{ name: "c", image, ...container }];
  return { metadata: { name: "a", annotations }, spec: { containers, ...spec } as PodSpec };
}

/** Returns a pod that `restricted` allows, except for these fields. */
function strictPod(security: Fields = {}, container: Fields = {}, spec: Fields = {}): Pod {
  return podOf({ ...container, securityContext: { ...strict, ...security } }, spec);
}

const security = (fields: Fields) => podOf({ securityContext: fields });
const podSecurity = (fields: Fields) => podOf({}, { securityContext: fields });
const volume = (name: string, source: Fields) => ({ name, ...source });

/** Sets the labels of the case's namespace, and waits until a real server's cache has them. */
async function label(
  context: ConformanceContext,
  labels: Readonly<Record<string, string>>,
): Promise<void> {
  const { client, namespace } = context;
  const full = Object.fromEntries(
    Object.entries(labels).map(([mode, value]) => [`${prefix}${mode}`, value]),
  );
  await client
    .resource(Namespace)
    .patch(namespace, mergePatch<Namespace>({ metadata: { labels: full } }));
}

async function messageOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "",
    (error: Error & { readonly status?: { readonly message?: string } }) =>
      error.status?.message ?? error.message,
  );
}

const baseline: readonly (readonly [name: string, pod: Pod, violation: string])[] = [
  [
    "an AppArmor profile of the pod",
    podSecurity({ appArmorProfile: { type: "Unconfined" } }),
    'forbidden AppArmor profile (pod must not set AppArmor profile type to "Unconfined")',
  ],
  [
    "an AppArmor annotation and a profile",
    podOf(
      { securityContext: { appArmorProfile: { type: "Unconfined" } } },
      { initContainers: [{ name: "i", image }] },
      { "container.apparmor.security.beta.kubernetes.io/i": "unconfined" },
    ),
    "forbidden AppArmor profile",
  ],
  [
    "capabilities beyond the default ones",
    security({ capabilities: { add: ["SYS_TIME", "CHOWN", "NET_RAW"] } }),
    'non-default capabilities (container "c" must not include "NET_RAW", "SYS_TIME" in securityContext.capabilities.add)',
  ],
  [
    "namespaces of the host",
    podOf({}, { hostPID: true, hostIPC: true }),
    "host namespaces (hostPID=true, hostIPC=true)",
  ],
  [
    "the host's network, whose ports are those of the host",
    podOf({ ports: [{ containerPort: 80 }] }, { hostNetwork: true }),
    'host namespaces (hostNetwork=true), hostPort (container "c" uses hostPort 80)',
  ],
  [
    "volumes of the host",
    podOf(
      {},
      {
        volumes: [
          volume("x", { hostPath: { path: "/x" } }),
          volume("y", { hostPath: { path: "/y" } }),
        ],
      },
    ),
    'hostPath volumes (volumes "x", "y")',
  ],
  [
    "ports of the host, in the order of their digits",
    podOf(
      { ports: [{ containerPort: 1, hostPort: 9000 }] },
      { initContainers: [{ name: "i", image, ports: [{ containerPort: 2, hostPort: 10000 }] }] },
    ),
    'hostPort (containers "i", "c" use hostPorts 10000, 9000)',
  ],
  [
    "hosts of probes and handlers",
    podOf({
      livenessProbe: { httpGet: { port: 1, host: "b.example" } },
      lifecycle: { preStop: { tcpSocket: { port: 1, host: "a.example" } } },
    }),
    'probe or lifecycle host (container "c" uses probe or lifecycle hosts "a.example", "b.example")',
  ],
  [
    "privileged containers",
    security({ privileged: true }),
    'privileged (container "c" must not set securityContext.privileged=true)',
  ],
  [
    "SELinux types, users and roles",
    podOf(
      { securityContext: { seLinuxOptions: { type: "odd_t", role: "r" } } },
      { securityContext: { seLinuxOptions: { user: "u" } } },
    ),
    'seLinuxOptions (pod and container "c" set forbidden securityContext.seLinuxOptions: type "odd_t"; user may not be set; role may not be set)',
  ],
  [
    "seccomp profiles that confine nothing",
    security({ seccompProfile: { type: "Unconfined" } }),
    'seccompProfile (container "c" must not set securityContext.seccompProfile.type to "Unconfined")',
  ],
  [
    "unsafe sysctls",
    podSecurity({
      sysctls: [
        { name: "kernel.msgmax", value: "1" },
        { name: "net.ipv4.tcp_rmem", value: "1" },
      ],
    }),
    "forbidden sysctls (kernel.msgmax)",
  ],
  [
    "host processes of Windows",
    podOf(
      {},
      {
        hostNetwork: true,
        os: { name: "windows" },
        securityContext: { windowsOptions: { hostProcess: true } },
      },
    ),
    "host namespaces (hostNetwork=true), hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)",
  ],
];

const restricted: readonly (readonly [name: string, pod: Pod, violation: string])[] = [
  [
    "containers that do not forbid privilege escalation",
    podOf({ securityContext: { ...strict, allowPrivilegeEscalation: undefined } }),
    'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)',
  ],
  [
    "containers that keep and add capabilities",
    strictPod({ capabilities: { add: ["CHOWN", "NET_BIND_SERVICE"] } }),
    'unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]; container "c" must not include "CHOWN" in securityContext.capabilities.add)',
  ],
  [
    "volumes of restricted types",
    strictPod(
      {},
      {},
      {
        volumes: [
          volume("x", { hostPath: { path: "/x" } }),
          volume("n", { nfs: { server: "s", path: "/n" } }),
          volume("e", { emptyDir: {} }),
        ],
      },
    ),
    'restricted volume types (volumes "x", "n" use restricted volume types "hostPath", "nfs")',
  ],
  [
    "containers that may run as root",
    strictPod({ runAsNonRoot: undefined }),
    'runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true)',
  ],
  [
    "pods and containers that run as root on purpose",
    strictPod({ runAsNonRoot: false }, {}, { securityContext: { runAsNonRoot: false } }),
    'runAsNonRoot != true (pod and container "c" must not set securityContext.runAsNonRoot=false)',
  ],
  [
    "the user 0",
    strictPod({ runAsUser: 0 }),
    'runAsUser=0 (container "c" must not set runAsUser=0)',
  ],
  [
    "containers without a seccomp profile",
    strictPod({ seccompProfile: undefined }),
    'seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  ],
  [
    "an unmasked /proc, in a user namespace, too",
    strictPod({ procMount: "Unmasked" }, {}, { hostUsers: false }),
    'procMount (container "c" must not set securityContext.procMount to "Unmasked")',
  ],
  [
    "everything that a plain container leaves open, in one message",
    podOf(),
    'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  ],
];

/** Pods that one version of a level allows and another version rejects. */
const versions: readonly (readonly [name: string, level: string, version: string, pod: Pod])[] = [
  [
    "hosts of probes before 1.34",
    "baseline",
    "v1.33",
    podOf({ livenessProbe: { httpGet: { port: 1, host: "x" } } }),
  ],
  [
    "capabilities before 1.22",
    "restricted",
    "v1.21",
    strictPod({ capabilities: { add: ["CHOWN"] } }),
  ],
  ["the user 0 before 1.23", "restricted", "v1.22", strictPod({ runAsUser: 0 })],
  [
    "root in a user namespace from 1.35 on",
    "restricted",
    "v1.99",
    strictPod({ runAsUser: 0, runAsNonRoot: false }, {}, { hostUsers: false }),
  ],
  [
    "an unmasked /proc in a user namespace from 1.35 on",
    "baseline",
    "v1.35",
    podOf({ securityContext: { procMount: "Unmasked" } }, { hostUsers: false }),
  ],
  [
    "keepalive sysctls from 1.29 on",
    "baseline",
    "v1.29",
    podSecurity({ sysctls: [{ name: "net.ipv4.tcp_fin_timeout", value: "1" }] }),
  ],
  [
    "the SELinux type of container engines from 1.31 on",
    "baseline",
    "latest",
    security({ seLinuxOptions: { type: "container_engine_t" } }),
  ],
  [
    "Windows pods without Linux fields from 1.25 on",
    "restricted",
    "v1.25",
    podOf({}, { os: { name: "windows" }, securityContext: { runAsNonRoot: true } }),
  ],
];

function refusedCase(level: string) {
  return ([name, pod, violation]: (typeof baseline)[number], at: number): ConformanceCase => ({
    id: `pod-security-${level}-${at + 1}`,
    name: `the level ${level} rejects ${name}`,
    async run(context) {
      const pods = context.client.resource(Pod, context.namespace);
      await label(context, { enforce: level });
      await until(context, async () => (await messageOf(pods.create(pod, dryRun))) !== "");
      const message = await messageOf(pods.create(pod));
      const start = `pods "a" is forbidden: violates PodSecurity "${level}:latest": ${violation}`;
      assert.equal(message.slice(0, start.length), start);
      await expectFailure(pods.create(pod), {
        code: 403,
        reason: "Forbidden",
        details: { name: "a", kind: "pods" },
        causes: [],
      });
    },
  });
}

/** Cases for Pod Security labels of namespaces: rejections, warnings and their messages. */
export const podSecurityCases: readonly ConformanceCase[] = [
  ...baseline.map(refusedCase("baseline")),
  ...restricted.map(refusedCase("restricted")),
  ...versions.map(
    ([name, level, version, pod], at): ConformanceCase => ({
      id: `pod-security-version-${at + 1}`,
      name: `the level ${level} of ${version} allows ${name}`,
      async run(context) {
        const pods = context.client.resource(Pod, context.namespace);
        const probe = podOf({ securityContext: { privileged: true } });
        await label(context, { enforce: level, "enforce-version": version });
        await until(context, async () => (await messageOf(pods.create(probe, dryRun))) !== "");
        await pods.create(pod);
      },
    }),
  ),
  {
    id: "pod-security-warn",
    name: "the warn level accepts pods and workloads and returns their violations as warnings",
    async run(context) {
      const { client, namespace } = context;
      const warnings: string[] = [];
      const onWarning = (text: string) => void warnings.push(text);
      const options = { onWarning } as const;
      await label(context, { warn: "baseline", "warn-version": "v1.30" });
      const pod = podOf({ securityContext: { privileged: true } });
      await until(context, async () => {
        await client.resource(Pod, namespace).create(pod, { ...dryRun, ...options });
        return warnings.length > 0;
      });
      warnings.length = 0;
      await client.resource(Pod, namespace).create(pod, options);
      const template = { metadata: { labels: { app: "x" } }, spec: pod.spec as PodSpec };
      const selector = { matchLabels: { app: "x" } };
      await client
        .resource(Deployment, namespace)
        .create({ metadata: { name: "d" }, spec: { selector, template } }, options);
      const job = {
        spec: { template: { spec: { ...template.spec, restartPolicy: "Never" as const } } },
      };
      await client
        .resource(CronJob, namespace)
        .create(
          { metadata: { name: "j" }, spec: { schedule: "@daily", jobTemplate: job } },
          options,
        );
      const text =
        'would violate PodSecurity "baseline:v1.30": privileged (container "c" must not set securityContext.privileged=true)';
      assert.deepEqual(warnings, [text, text, text]);
    },
  },
  {
    id: "pod-security-enforce-warns",
    name: "the enforce level accepts workloads with a warning",
    async run(context) {
      const { client, namespace } = context;
      const warnings: string[] = [];
      const onWarning = (text: string) => void warnings.push(text);
      await label(context, { enforce: "baseline" });
      const template = {
        metadata: { labels: { app: "x" } },
        spec: podOf({}, { hostPID: true }).spec as PodSpec,
      };
      const selector = { matchLabels: { app: "x" } };
      const deployment = { metadata: { name: "d" }, spec: { selector, template } };
      await until(context, async () => {
        await client.resource(Deployment, namespace).create(deployment, { ...dryRun, onWarning });
        return warnings.length > 0;
      });
      assert.equal(
        warnings[0],
        'would violate PodSecurity "baseline:latest": host namespaces (hostPID=true)',
      );
    },
  },
  {
    id: "pod-security-existing",
    name: "a stricter level on a namespace returns warnings about its existing pods",
    async run(context) {
      const { client, namespace } = context;
      const pods = client.resource(Pod, namespace);
      const warnings: string[] = [];
      const onWarning = (text: string) => void warnings.push(text);
      for (const name of ["p2", "p1", "p3"]) {
        await pods.create({ ...podOf({}, { hostPID: true }), metadata: { name } });
      }
      await pods.create({ ...security({ privileged: true }), metadata: { name: "q" } });
      await pods.create({ ...podOf(), metadata: { name: "r" } });
      const labels = { [`${prefix}enforce`]: "baseline" };
      await until(context, async () => {
        warnings.length = 0;
        await client
          .resource(Namespace)
          .patch(namespace, mergePatch<Namespace>({ metadata: { labels } }), {
            ...dryRun,
            onWarning,
          });
        return warnings.length >= 3;
      });
      assert.deepEqual(warnings, [
        `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "baseline:latest"`,
        "p1 (and 2 other pods): host namespaces",
        "q: privileged",
      ]);
    },
  },
  {
    id: "pod-security-labels",
    name: "labels with unknown levels or versions are rejected, all in one message",
    async run({ client, namespace }) {
      const labels = {
        [`${prefix}enforce`]: "strict",
        [`${prefix}enforce-version`]: "v2",
        [`${prefix}warn`]: "Baseline",
      };
      const named = client
        .resource(Namespace)
        .create({ metadata: { name: `${namespace}-x`, labels } });
      const message = await messageOf(named);
      assert.equal(
        message,
        `Namespace "${namespace}-x" is invalid: [metadata.labels[${prefix}enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted, metadata.labels[${prefix}enforce-version]: Invalid value: "v2": must be "latest" or "v1.x", metadata.labels[${prefix}warn]: Invalid value: "Baseline": must be one of privileged, baseline, restricted]`,
      );
    },
  },
];
