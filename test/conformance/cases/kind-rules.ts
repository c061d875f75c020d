import type { ConformanceCase } from "../conformance-case.js";
import { expectRefusal, rawRequest } from "../support/raw-request.js";

const container = { name: "c", image: "i" };
const labels = { a: "b" };
const workload = {
  selector: { matchLabels: labels },
  template: { metadata: { labels }, spec: { containers: [container] } },
};
const invalid = { code: 422, reason: "Invalid" } as const;

/** Objects that servers reject, with the message. */
const refused: readonly (readonly [id: string, path: string, spec: object, message: string])[] = [
  [
    "container-names",
    "/api/v1/namespaces/%/pods",
    { containers: [container, container] },
    'Pod "a" is invalid: spec.containers[1].name: Duplicate value: "c"',
  ],
  [
    "ports",
    "/api/v1/namespaces/%/pods",
    { containers: [{ ...container, ports: [{ containerPort: 70_000 }] }] },
    'Pod "a" is invalid: spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
  ],
  [
    "mounts",
    "/api/v1/namespaces/%/pods",
    { containers: [{ ...container, volumeMounts: [{ name: "v", mountPath: "/v" }] }] },
    'Pod "a" is invalid: spec.containers[0].volumeMounts[0].name: Not found: "v"',
  ],
  [
    "selector",
    "/apis/apps/v1/namespaces/%/deployments",
    { ...workload, selector: { matchLabels: { a: "c" } } },
    'Deployment.apps "a" is invalid: spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`',
  ],
  [
    "schedule",
    "/apis/batch/v1/namespaces/%/cronjobs",
    {
      schedule: "61 * * * *",
      jobTemplate: {
        spec: { template: { spec: { restartPolicy: "Never", containers: [container] } } },
      },
    },
    'CronJob.batch "a" is invalid: spec.schedule: Invalid value: "61 * * * *": end of range (61) above maximum (59): 61',
  ],
  [
    "budget",
    "/apis/policy/v1/namespaces/%/poddisruptionbudgets",
    { minAvailable: 1, maxUnavailable: 1, selector: {} },
    'PodDisruptionBudget.policy "a" is invalid: spec: Invalid value: {"MinAvailable":1,"Selector":{},"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
  ],
  [
    "claim",
    "/api/v1/namespaces/%/persistentvolumeclaims",
    { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "0" } } },
    'PersistentVolumeClaim "a" is invalid: spec.resources[storage]: Invalid value: "0": must be greater than zero',
  ],
  [
    "service-ports",
    "/api/v1/namespaces/%/services",
    { ports: [{ port: 80 }, { port: 81 }] },
    'Service "a" is invalid: [spec.ports[0].name: Required value, spec.ports[1].name: Required value]',
  ],
];

/** Objects, and changes of them that servers reject, with the message. */
const frozen: readonly (readonly [
  id: string,
  path: string,
  spec: object,
  change: object,
  message: RegExp | string,
])[] = [
  [
    "stateful-set",
    "/apis/apps/v1/namespaces/%/statefulsets",
    workload,
    { serviceName: "x" },
    'StatefulSet.apps "a" is invalid: spec.serviceName: Invalid value: "x": field is immutable',
  ],
  [
    "cluster-ip",
    "/api/v1/namespaces/%/services",
    { ports: [{ port: 80 }] },
    { clusterIP: "None" },
    'Service "a" is invalid: spec.clusterIPs[0]: Invalid value: ["None"]: may not change once set',
  ],
  [
    "claim",
    "/api/v1/namespaces/%/persistentvolumeclaims",
    { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    { resources: { requests: { storage: "2Gi" } } },
    /^PersistentVolumeClaim "a" is invalid: spec: Forbidden: spec is immutable after creation/,
  ],
  [
    "containers",
    "/api/v1/namespaces/%/pods",
    { containers: [container] },
    { containers: [container, { name: "d", image: "i" }] },
    'Pod "a" is invalid: spec.containers: Forbidden: pod updates may not add or remove containers',
  ],
  [
    "deadline",
    "/api/v1/namespaces/%/pods",
    { containers: [container], activeDeadlineSeconds: 5 },
    { activeDeadlineSeconds: 9 },
    'Pod "a" is invalid: spec.activeDeadlineSeconds: Invalid value: 9: must be less than or equal to previous value',
  ],
];

/** Cases for the validation rules of single kinds. */
export const kindRules: readonly ConformanceCase[] = [
  ...refused.map(([id, path, spec, message]) => ({
    id: `kind-rules-${id}`,
    name: `a violation of the rules of ${id} is rejected with the message of a real server`,
    run: async (context: Parameters<ConformanceCase["run"]>[0]) => {
      const body = { metadata: { name: "a" }, spec };
      const at = path.replace("%", context.namespace);
      await expectRefusal(context, { method: "POST", path: at, body }, { ...invalid, message });
    },
  })),
  ...frozen.map(([id, path, spec, change, message]) => ({
    id: `kind-rules-frozen-${id}`,
    name: `a change of an immutable field of ${id} is rejected with the message of a real server`,
    run: async (context: Parameters<ConformanceCase["run"]>[0]) => {
      const at = path.replace("%", context.namespace);
      const body = { metadata: { name: "a" }, spec };
      await rawRequest(context, { method: "POST", path: at, body });
      const request = {
        method: "PATCH",
        path: `${at}/a`,
        contentType: "application/merge-patch+json",
        body: { spec: change },
      } as const;
      await expectRefusal(context, request, { ...invalid, message });
    },
  })),
];
