import type { StepKind } from "./step.js";

/** A kind with an object and changes to try on it. */
export interface SequenceKind {
  readonly apiVersion: string;
  readonly kindName: string;
  readonly collection: string;
  readonly steps: readonly StepKind[];
  readonly object: Readonly<Record<string, unknown>>;
  readonly changes: readonly Readonly<Record<string, unknown>>[];
  readonly operations: readonly unknown[];
  readonly statuses: readonly unknown[];
}

const plain: readonly StepKind[] = [
  "put",
  "mergePatch",
  "mergePatch",
  "strategicPatch",
  "jsonPatch",
  "apply",
  "apply",
  "delete",
  "create",
];
const withStatus: readonly StepKind[] = [...plain, "status"];
const container = { name: "c", image: "example.com/c:1" };
const labels = { app: "x" };
const annotate = [{ op: "add", path: "/metadata/annotations", value: { patched: "yes" } }];
const mistaken = [{ op: "remove", path: "/spec/nothing" }];

const workload = {
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [container] } },
  },
};

/** Kinds that sequences are made of. */
export const kindsOfSequences: readonly SequenceKind[] = [
  {
    apiVersion: "v1",
    kindName: "ConfigMap",
    collection: "/api/v1/%/configmaps",
    steps: plain,
    object: { data: { a: "1" } },
    changes: [
      { data: { b: "2" } },
      { data: { a: "3" } },
      { data: { "bad key": "x" } },
      { immutable: true },
      { binaryData: { c: "eA==" } },
    ],
    operations: [annotate, [{ op: "replace", path: "/data/a", value: "9" }], mistaken],
    statuses: [],
  },
  {
    apiVersion: "v1",
    kindName: "Secret",
    collection: "/api/v1/%/secrets",
    steps: plain,
    object: { data: { a: "eA==" } },
    changes: [
      { stringData: { b: "text" } },
      { data: { a: "eQ==" } },
      { type: "example.com/own" },
      { immutable: true },
    ],
    operations: [annotate, [{ op: "add", path: "/data/z", value: "eg==" }], mistaken],
    statuses: [],
  },
  {
    apiVersion: "v1",
    kindName: "Service",
    collection: "/api/v1/%/services",
    steps: withStatus,
    object: { spec: { selector: labels, ports: [{ name: "a", port: 80 }] } },
    changes: [
      { spec: { type: "NodePort" } },
      { spec: { type: "ClusterIP" } },
      { spec: { sessionAffinity: "ClientIP" } },
      { spec: { ports: [{ name: "a", port: 81 }] } },
      {
        spec: {
          ports: [
            { name: "a", port: 80 },
            { name: "b", port: 443 },
          ],
        },
      },
      { spec: { ports: [{ name: "A", port: 70_000 }] } },
    ],
    operations: [annotate, [{ op: "replace", path: "/spec/ports/0/port", value: 82 }], mistaken],
    statuses: [{ loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } }],
  },
  {
    apiVersion: "v1",
    kindName: "Pod",
    collection: "/api/v1/%/pods",
    steps: withStatus,
    object: { spec: { containers: [container] } },
    changes: [
      { spec: { containers: [{ name: "c", image: "example.com/c:2" }] } },
      { spec: { activeDeadlineSeconds: 60 } },
      { spec: { hostname: "other" } },
      {
        spec: {
          containers: [{ name: "c", image: "example.com/c:1", ports: [{ containerPort: 80 }] }],
        },
      },
      { spec: { tolerations: [{ key: "k", operator: "Exists" }] } },
    ],
    operations: [
      annotate,
      [{ op: "replace", path: "/spec/containers/0/image", value: "example.com/c:3" }],
      mistaken,
    ],
    statuses: [{ phase: "Running" }, { podIP: "192.0.2.7" }, { message: "hello" }],
  },
  {
    apiVersion: "apps/v1",
    kindName: "Deployment",
    collection: "/apis/apps/v1/%/deployments",
    steps: [...withStatus, "scale", "scale"],
    object: workload,
    changes: [
      { spec: { replicas: 3 } },
      { spec: { paused: true } },
      { spec: { strategy: { type: "Recreate", rollingUpdate: null } } },
      { spec: { minReadySeconds: 5 } },
      { spec: { selector: { matchLabels: { app: "y" } } } },
      { spec: { template: { spec: { restartPolicy: "Never" } } } },
      { spec: { template: { spec: { terminationGracePeriodSeconds: 5 } } } },
    ],
    operations: [annotate, [{ op: "replace", path: "/spec/replicas", value: 2 }], mistaken],
    statuses: [
      { replicas: 2, updatedReplicas: 1 },
      { observedGeneration: 3 },
      { readyReplicas: 4 },
    ],
  },
  {
    apiVersion: "batch/v1",
    kindName: "Job",
    collection: "/apis/batch/v1/%/jobs",
    steps: withStatus,
    object: {
      spec: {
        suspend: true,
        template: { spec: { restartPolicy: "Never", containers: [container] } },
      },
    },
    changes: [
      { spec: { parallelism: 2 } },
      { spec: { completions: 3 } },
      { spec: { backoffLimit: 1 } },
      { spec: { suspend: false } },
      { spec: { activeDeadlineSeconds: 30 } },
    ],
    operations: [annotate, [{ op: "replace", path: "/spec/suspend", value: false }], mistaken],
    statuses: [{ active: 1 }, { active: -1 }],
  },
];
