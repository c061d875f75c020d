import assert from "node:assert/strict";
import type { ConformanceCase } from "../conformance-case.js";
import { rawRequest } from "../support/raw-request.js";

type Fields = Readonly<Record<string, unknown>>;

const image = "registry.k8s.io/pause:3.10";
const windows = { os: { name: "windows" } };
const hostProcess = (value: boolean) => ({
  securityContext: { windowsOptions: { hostProcess: value } },
});
const userName = (runAsUserName: string) => ({
  securityContext: { windowsOptions: { runAsUserName } },
});
const unmasked = { securityContext: { procMount: "Unmasked" } };
const noUnmasked = 'Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`';
const noHostUsers = "Forbidden: when `hostUsers` is false";
const noWindows = "Forbidden: cannot be set for a windows pod";
const noLinux = "Forbidden: windows options cannot be set for a linux pod";
const needsNetwork =
  "Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers";
const needsAll =
  'Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers';
const device = { volumeDevices: [{ name: "v", devicePath: "/dev/v" }] };
const volumes = [{ name: "v", persistentVolumeClaim: { claimName: "v" } }];
const linuxContainer = {
  securityContext: {
    seLinuxOptions: { type: "t" },
    seccompProfile: { type: "RuntimeDefault" },
    appArmorProfile: { type: "RuntimeDefault" },
    capabilities: { add: ["CHOWN"] },
    readOnlyRootFilesystem: true,
    privileged: false,
    allowPrivilegeEscalation: false,
    procMount: "Default",
    runAsUser: 1,
    runAsGroup: 1,
  },
};

/** Pods: name, spec, container, and the field and message of each field error; none for a pod that is created. */
const pods: readonly (readonly [
  name: string,
  spec: Fields,
  container: Fields,
  ...causes: (readonly [field: string, message: string])[],
])[] = [
  ["an unmasked /proc in a user namespace of its own", { hostUsers: false }, unmasked],
  [
    "an unmasked /proc among the users of the host",
    { hostUsers: true, initContainers: [{ name: "i", image, ...unmasked }] },
    unmasked,
    ["spec.containers[0].securityContext.procMount", noUnmasked],
    ["spec.initContainers[0].securityContext.procMount", noUnmasked],
  ],
  [
    "an unmasked /proc where nothing is said of users",
    {},
    unmasked,
    ["spec.containers[0].securityContext.procMount", noUnmasked],
  ],
  [
    "a user namespace together with those of the host",
    {
      hostUsers: false,
      hostNetwork: true,
      hostPID: true,
      hostIPC: true,
      initContainers: [{ name: "i", image, ...device }],
      volumes,
    },
    device,
    ["spec.hostNetwork", noHostUsers],
    ["spec.HostPID", noHostUsers],
    ["spec.HostIPC", noHostUsers],
    ["spec.initContainers[0].volumeDevices", noHostUsers],
    ["spec.containers[0].volumeDevices", noHostUsers],
  ],
  [
    "processes shared with the host and among containers",
    { hostPID: true, shareProcessNamespace: true },
    {},
    [
      "spec.shareProcessNamespace",
      "Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled",
    ],
  ],
  [
    "a host process without the network of the host",
    hostProcess(true),
    {},
    ["spec.hostNetwork", needsNetwork],
  ],
  [
    "host processes beside other containers",
    { initContainers: [{ name: "i", image }] },
    hostProcess(true),
    ["spec", needsAll],
    ["spec.hostNetwork", needsNetwork],
  ],
  [
    "containers that contradict their pod about host processes",
    {
      ...hostProcess(true),
      hostNetwork: true,
      initContainers: [{ name: "i", image, ...hostProcess(false) }],
    },
    {},
    [
      "spec.initContainers[0].securityContext.windowsOptions.hostProcess",
      "Invalid value: false: pod hostProcess value must be identical if both are specified, was true",
    ],
    ["spec", needsAll],
  ],
  [
    "options of Windows in a pod of Linux",
    { os: { name: "linux" }, securityContext: { windowsOptions: {} } },
    hostProcess(false),
    ["spec.securityContext.windowsOptions", noLinux],
    ["spec.containers[0].securityContext.windowsOptions", noLinux],
  ],
  [
    "fields of Linux in a pod of Windows",
    {
      ...windows,
      hostIPC: true,
      hostUsers: true,
      shareProcessNamespace: false,
      resources: { limits: { cpu: "1" } },
      securityContext: {
        runAsUser: 1,
        supplementalGroups: [1],
        fsGroup: 1,
        seLinuxChangePolicy: "Recursive",
      },
    },
    {},
    ["spec.resources", "Forbidden: may not be set for a windows pod"],
    ["spec.securityContext.fsGroup", noWindows],
    ["spec.securityContext.runAsUser", noWindows],
    ["spec.securityContext.supplementalGroups", noWindows],
    ["spec.securityContext.seLinuxChangePolicy", noWindows],
    ["spec.hostUsers", noWindows],
    ["spec.hostIPC", noWindows],
    ["spec.shareProcessNamespace", noWindows],
  ],
  [
    "fields of Linux in a container of Windows",
    windows,
    linuxContainer,
    ...[
      "appArmorProfile",
      "seLinuxOptions",
      "seccompProfile",
      "capabilities",
      "readOnlyRootFilesystem",
      "privileged",
      "allowPrivilegeEscalation",
      "procMount",
      "runAsUser",
      "runAsGroup",
    ].map((field) => [`spec.containers[0].securityContext.${field}`, noWindows] as const),
  ],
  [
    "policies of SELinux labels that do not exist",
    { securityContext: { seLinuxChangePolicy: "Odd" } },
    {},
    [
      "spec.securityContext.seLinuxChangePolicy",
      'Unsupported value: "Odd": supported values: "MountOption", "Recursive"',
    ],
  ],
  ...(
    [
      ["", "runAsUserName cannot be an empty string"],
      ["a\\b\\c", "runAsUserName cannot contain more than one backslash"],
      ["a\\", "runAsUserName's User cannot be empty"],
      [".a\\b", "runAsUserName's Domain doesn't match the NetBios nor the DNS format"],
      [". .", "runAsUserName's User cannot contain only periods or spaces"],
      ["a@b", "runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]"],
    ] as const
  ).map(
    ([user, why]) =>
      [
        `the user ${JSON.stringify(user)} of Windows`,
        userName(user),
        {},
        [
          "spec.securityContext.windowsOptions.runAsUserName",
          `Invalid value: ${JSON.stringify(user)}: ${why}`,
        ],
      ] as const,
  ),
  ["a user of Windows with a domain", {}, userName("a.example\\ContainerUser")],
];

/** Cases for host sharing, and for fields that depend on the operating system. */
export const hostAccessCases: readonly ConformanceCase[] = [
  ...pods.map(
    ([name, spec, container, ...causes], at): ConformanceCase => ({
      id: `host-access-${at + 1}`,
      name: `${causes.length === 0 ? "creates" : "refuses"} a pod with ${name}`,
      async run(context) {
        const { status, json } = await rawRequest(context, {
          method: "POST",
          path: `/api/v1/namespaces/${context.namespace}/pods?dryRun=All`,
          body: {
            metadata: { name: "a" },
            spec: { containers: [{ name: "c", image, ...container }], ...spec },
          },
        });
        const { details } = json<{
          details?: { causes: { field: string; message: string }[] };
        }>();
        const seen = (details?.causes ?? []).map(({ field, message }) => [field, message]);
        assert.deepEqual(seen, causes);
        assert.equal(status, causes.length === 0 ? 201 : 422);
      },
    }),
  ),
  {
    id: "host-access-template",
    name: "pod templates follow the same rules for host users as pods",
    async run(context) {
      const { status, text } = await rawRequest(context, {
        method: "POST",
        path: `/apis/batch/v1/namespaces/${context.namespace}/jobs`,
        body: {
          metadata: { name: "a" },
          spec: {
            template: {
              spec: { restartPolicy: "Never", containers: [{ name: "c", image, ...unmasked }] },
            },
          },
        },
      });
      assert.equal(status, 422);
      assert.match(text, /spec\.template\.spec\.containers\[0\]\.securityContext\.procMount/);
    },
  },
  {
    id: "host-access-ephemeral",
    name: "ephemeral containers follow the rules for host users",
    async run(context) {
      const path = `/api/v1/namespaces/${context.namespace}/pods`;
      const pod = { metadata: { name: "a" }, spec: { containers: [{ name: "c", image }] } };
      await rawRequest(context, { method: "POST", path, body: pod });
      const { status, text } = await rawRequest(context, {
        method: "PATCH",
        path: `${path}/a/ephemeralcontainers`,
        contentType: "application/strategic-merge-patch+json",
        body: { spec: { ephemeralContainers: [{ name: "e", image, ...unmasked }] } },
      });
      assert.equal(status, 422);
      assert.match(text, /spec\.ephemeralContainers\[0\]\.securityContext\.procMount/);
    },
  },
];
