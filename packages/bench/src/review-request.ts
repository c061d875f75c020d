/** Returns the bytes of an HTTP request that reviews a pod of 1 kB. */
export function reviewRequest(url: URL): Buffer {
  const body = JSON.stringify(review());
  return Buffer.from(
    `POST ${url.pathname}?timeout=10s HTTP/1.1\r\nhost: ${url.host}\r\naccept: application/json, */*\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Returns a review as an API server sends it for a create. */
function review(): object {
  const version = { group: "", version: "v1" };
  const kind = { ...version, kind: "Pod" };
  const resource = { ...version, resource: "pods" };
  return {
    kind: "AdmissionReview",
    apiVersion: "admission.k8s.io/v1",
    request: {
      uid: "705ab4f5-6393-11e8-b7cc-42010a800002",
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      name: "web-5d8f9c7b6d-x2x7k",
      namespace: "team-00",
      operation: "CREATE",
      userInfo: { username: "system:admin", groups: ["system:masters", "system:authenticated"] },
      object: pod,
      oldObject: null,
      dryRun: false,
      options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1", fieldManager: "kubectl" },
    },
  };
}

const pod = {
  kind: "Pod",
  apiVersion: "v1",
  metadata: {
    name: "web-5d8f9c7b6d-x2x7k",
    generateName: "web-5d8f9c7b6d-",
    namespace: "team-00",
    uid: "0e4f8b2a-6c1d-4f3e-9a7b-5d2c8e1f0a93",
    creationTimestamp: "2026-11-20T08:00:00Z",
    labels: { app: "web", tier: "front", "pod-template-hash": "5d8f9c7b6d" },
  },
  spec: {
    containers: [
      {
        name: "web",
        image: "registry.example.com/shop/web:1.42.0",
        ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
        env: [{ name: "LOG_LEVEL", value: "info" }],
        resources: { limits: { memory: "256Mi" }, requests: { cpu: "100m", memory: "256Mi" } },
        terminationMessagePath: "/dev/termination-log",
        terminationMessagePolicy: "File",
        imagePullPolicy: "IfNotPresent",
      },
    ],
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    serviceAccountName: "default",
    securityContext: {},
    schedulerName: "default-scheduler",
    enableServiceLinks: true,
  },
  status: { phase: "Pending", qosClass: "Burstable" },
};
