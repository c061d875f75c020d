import type { Live } from "typekube";
import type { Pod } from "typekube/api/core/v1";
import { managedFieldsOf } from "./managed-fields.js";
import { seededRandom } from "./seeded-random.js";

/** Numbers of distinct apps, namespaces and nodes. Repeated strings make interning and hidden classes effective. */
const shape = { apps: 240, namespaces: 40, nodes: 400 } as const;
const birth = Date.UTC(2026, 0, 5) / 1000;
const bornWithinSeconds = 30 * 24 * 3600;

/** resourceVersion of a list of these pods. */
export const listResourceVersion = "90000000";

/**
 * Returns pods of Deployments like those of a real cluster, about 4.9 KB of JSON each with managedFields, sorted by
 * namespace and name like the API server's. The same count and seed give the same pods.
 */
export function makePods(count: number, seed = 1): Live<Pod>[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, index) => makePod(index, random)).sort((a, b) =>
    keyOf(a) < keyOf(b) ? -1 : 1,
  );
}

function keyOf({ metadata }: Live<Pod>): string {
  // etcd's key order: a slash sorts before every letter and digit.
  return `${metadata.namespace}/${metadata.name}`;
}

/** Returns five characters that look random and differ for each of a million pods, since the multiplier is odd. */
function nameSuffix(index: number): string {
  return (Math.imul(index, 0x9e377) & 0xfffff).toString(16).padStart(5, "0");
}

function makePod(index: number, random: () => number): Live<Pod> {
  const hex = (length: number) =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join("");
  const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
  const appNumber = Math.floor(random() * shape.apps);
  const app = `service-${String(appNumber).padStart(3, "0")}`;
  // All pods of an app share the app's values.
  const ofApp = seededRandom(appNumber + 1);
  const appHex = (length: number) =>
    Array.from({ length }, () => Math.floor(ofApp() * 16).toString(16)).join("");
  const templateHash = appHex(10);
  const owner = `${appHex(8)}-${appHex(4)}-4${appHex(3)}-b${appHex(3)}-${appHex(12)}`;
  const image = `registry.example/${app}:v1.${appNumber % 20}.${appNumber % 7}`;
  const digest = appHex(64);
  const namespace = `team-${String(appNumber % shape.namespaces).padStart(2, "0")}`;
  const node = Math.floor(random() * shape.nodes);
  const bornAt = birth + Math.floor(random() * bornWithinSeconds);
  const at = (seconds: number) =>
    new Date((bornAt + seconds) * 1000).toISOString().replace(".000Z", "Z");
  const token = `kube-api-access-${hex(5)}`;
  const hostIP = `10.0.${node >> 8}.${node & 255}`;
  const podIP = `10.${64 + (node >> 4)}.${node & 15}.${index & 255}`;
  return {
    kind: "Pod",
    apiVersion: "v1",
    metadata: {
      name: `${app}-${templateHash}-${nameSuffix(index)}`,
      generateName: `${app}-${templateHash}-`,
      namespace,
      uid: uuid(),
      resourceVersion: String(10_000_000 + Math.floor(random() * 70_000_000)),
      creationTimestamp: at(0),
      labels: {
        app,
        "pod-template-hash": templateHash,
        team: namespace,
        tier: appNumber % 3 ? "backend" : "frontend",
      },
      annotations: { "prometheus.io/port": "8080", "prometheus.io/scrape": "true" },
      ownerReferences: [
        {
          apiVersion: "apps/v1",
          kind: "ReplicaSet",
          name: `${app}-${templateHash}`,
          uid: owner,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      managedFields: managedFieldsOf(owner, at(0), at(9)),
    },
    spec: {
      volumes: [
        {
          name: token,
          projected: {
            sources: [
              { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
              {
                configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] },
              },
              {
                downwardAPI: {
                  items: [
                    {
                      path: "namespace",
                      fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" },
                    },
                  ],
                },
              },
            ],
            defaultMode: 420,
          },
        },
      ],
      containers: [
        {
          name: "main",
          image,
          ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
          env: [
            { name: "LOG_LEVEL", value: "info" },
            {
              name: "POD_NAME",
              valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "metadata.name" } },
            },
          ],
          resources: { limits: { memory: "512Mi" }, requests: { cpu: "100m", memory: "256Mi" } },
          volumeMounts: [
            {
              name: token,
              readOnly: true,
              mountPath: "/var/run/secrets/kubernetes.io/serviceaccount",
            },
          ],
          readinessProbe: {
            httpGet: { path: "/healthz", port: 8080, scheme: "HTTP" },
            timeoutSeconds: 1,
            periodSeconds: 10,
            successThreshold: 1,
            failureThreshold: 3,
          },
          terminationMessagePath: "/dev/termination-log",
          terminationMessagePolicy: "File",
          imagePullPolicy: "IfNotPresent",
        },
      ],
      restartPolicy: "Always",
      terminationGracePeriodSeconds: 30,
      dnsPolicy: "ClusterFirst",
      serviceAccountName: "default",
      serviceAccount: "default",
      nodeName: `node-${String(node).padStart(3, "0")}.example.com`,
      securityContext: {},
      schedulerName: "default-scheduler",
      tolerations: ["not-ready", "unreachable"].map((condition) => ({
        key: `node.kubernetes.io/${condition}`,
        operator: "Exists",
        effect: "NoExecute",
        tolerationSeconds: 300,
      })),
      priority: 0,
      enableServiceLinks: true,
      preemptionPolicy: "PreemptLowerPriority",
    },
    status: {
      phase: "Running",
      conditions: [
        { type: "PodReadyToStartContainers", seconds: 3 },
        { type: "Initialized", seconds: 0 },
        { type: "Ready", seconds: 9 },
        { type: "ContainersReady", seconds: 9 },
        { type: "PodScheduled", seconds: 0 },
      ].map(({ type, seconds }) => ({
        type,
        status: "True",
        // Go writes a zero time as null, which the types do not allow.
        lastProbeTime: null as unknown as string,
        lastTransitionTime: at(seconds),
      })),
      hostIP,
      hostIPs: [{ ip: hostIP }],
      podIP,
      podIPs: [{ ip: podIP }],
      startTime: at(0),
      containerStatuses: [
        {
          name: "main",
          state: { running: { startedAt: at(3) } },
          lastState: {},
          ready: true,
          restartCount: Math.floor(random() * 3),
          image,
          imageID: `registry.example/${app}@sha256:${digest}`,
          containerID: `containerd://${hex(64)}`,
          started: true,
        },
      ],
      qosClass: "Burstable",
    },
  };
}
