import { call, deployments, type Json, mergePatch, pods } from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";
import { canonicalQuantity } from "../src/objects/canonical-quantity.js";

const services = "/api/v1/namespaces/default/services";
const jobs = "/apis/batch/v1/namespaces/default/jobs";
const container = { name: "c", image: "i" };

async function create(path: string, body: object): Promise<Json> {
  await using api = await startApiServer({ seed: 1 });
  return (await call(api, "POST", path, { metadata: { name: "a" }, ...body })).body;
}

test.each([
  ["0.1", "100m"],
  ["1024Mi", "1Gi"],
  ["1.5Gi", "1536Mi"],
  ["1000m", "1"],
  ["1e3", "1e3"],
  ["12e6", "12e6"],
  ["0.5Ki", "512"],
  ["2000k", "2M"],
  ["0", "0"],
  ["-0.5", "-500m"],
  [2, "2"],
  ["0.0000000001", "1n"],
])("a quantity is stored in canonical form: %s as %s", (given, kept) => {
  expect(canonicalQuantity(given)).toBe(kept);
});

describe("defaults", () => {
  test.each([
    ["nginx", "Always"],
    ["nginx:latest", "Always"],
    ["nginx:1", "IfNotPresent"],
    ["registry:5000/nginx", "Always"],
    ["registry:5000/nginx:1", "IfNotPresent"],
    ["nginx@sha256:abc", "IfNotPresent"],
  ])("the image %s is pulled %s", async (image, policy) => {
    const { spec } = await create(pods, { spec: { containers: [{ name: "c", image }] } });
    expect(spec.containers[0].imagePullPolicy).toBe(policy);
  });

  test("a pod's requests default to its limits, a template's do not", async () => {
    const limits = { cpu: "1", memory: "1Gi" };
    const spec = {
      containers: [{ ...container, resources: { limits, requests: { cpu: "0.5" } } }],
    };
    const pod = await create(pods, { spec });
    expect(pod.spec.containers[0].resources.requests).toEqual({ cpu: "500m", memory: "1Gi" });
    expect(pod.status.qosClass).toBe("Burstable");
    const labels = { a: "b" };
    const template = { metadata: { labels }, spec };
    const deployment = await create(deployments, {
      spec: { selector: { matchLabels: labels }, template },
    });
    const [made] = deployment.spec.template.spec.containers;
    expect(made.resources.requests).toEqual({ cpu: "500m" });
    expect(deployment.spec.template.spec.enableServiceLinks).toBeUndefined();
    expect(pod.spec.enableServiceLinks).toBe(true);
  });

  test("values added by admission have no owner, defaults belong to the writer", async () => {
    const { metadata } = await create(pods, { spec: { containers: [container] } });
    const { "f:spec": fields } = metadata.managedFields[0].fieldsV1;
    expect(Object.keys(fields)).toContain("f:restartPolicy");
    for (const added of ["f:priority", "f:preemptionPolicy", "f:tolerations"]) {
      expect(Object.keys(fields)).not.toContain(added);
    }
  });

  test("a Job gets a selector by its uid, and its labels are those of its pods", async () => {
    const template = { spec: { restartPolicy: "Never", containers: [container] } };
    const { metadata, spec } = await create(jobs, { spec: { template } });
    const uid = "batch.kubernetes.io/controller-uid";
    expect(spec.selector).toEqual({ matchLabels: { [uid]: metadata.uid } });
    expect(spec.template.metadata.labels).toEqual(metadata.labels);
    expect(spec).toMatchObject({ parallelism: 1, completions: 1, backoffLimit: 6, suspend: false });
  });
});

describe("addresses of services", () => {
  test("come from 10.0.0.0/24, each once, until the range is exhausted", async () => {
    await using api = await startApiServer({ seed: 1 });
    const seen = new Set<string>();
    const make = (name: string) =>
      call(api, "POST", services, { metadata: { name }, spec: { ports: [{ port: 80 }] } });
    let last = await make("first");
    for (let at = 0; last.status === 201; at++) {
      seen.add(last.body.spec.clusterIP);
      last = await make(`s${at}`);
    }
    expect([last.status, last.body.reason, seen.size]).toEqual([500, "InternalError", 239]);
    expect([...seen].every((ip) => /^10\.0\.0\.\d+$/.test(ip))).toBe(true);
  });

  test("a write that omits the address keeps it, one that changes it is rejected", async () => {
    await using api = await startApiServer({ seed: 1 });
    const spec = { type: "NodePort", ports: [{ port: 80 }] };
    const { body } = await call(api, "POST", services, { metadata: { name: "a" }, spec });
    const kept = await call(api, "PUT", `${services}/a`, { metadata: { name: "a" }, spec });
    expect(kept.body.spec).toEqual(body.spec);
    expect(body.spec.ports[0].nodePort).toBeGreaterThanOrEqual(30_000);
    const moved = { spec: { clusterIP: "10.0.0.3" } };
    const refused = await call(api, "PATCH", `${services}/a`, moved, mergePatch);
    expect(refused.body.details.causes).toEqual([
      {
        reason: "FieldValueInvalid",
        message: 'Invalid value: ["10.0.0.3"]: may not change once set',
        field: "spec.clusterIPs[0]",
      },
    ]);
  });

  test("rejects an address that is in use or out of range", async () => {
    await using api = await startApiServer({ seed: 1 });
    const make = async (name: string, spec: object) =>
      (await call(api, "POST", services, { metadata: { name }, spec })).body;
    const ports = [{ port: 80, nodePort: 30_100 }];
    await make("a", { type: "NodePort", clusterIP: "10.0.0.7", ports });
    const message = async (spec: object) => (await make("b", spec)).details.causes[0].message;
    expect(await message({ type: "NodePort", ports })).toBe(
      "Invalid value: 30100: provided port is already allocated",
    );
    expect(await message({ clusterIP: "10.0.0.7", ports: [{ port: 80 }] })).toBe(
      'Invalid value: ["10.0.0.7"]: failed to allocate IP 10.0.0.7: provided IP is already allocated',
    );
    expect(await message({ clusterIP: "10.1.0.7", ports: [{ port: 80 }] })).toContain(
      "is not in the valid range",
    );
  });
});

test("a pod gets the priority of its class; a missing class is rejected", async () => {
  await using api = await startApiServer();
  const classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
  await call(api, "POST", classes, { metadata: { name: "high" }, value: 7, globalDefault: true });
  const make = (name: string, spec: object) =>
    call(api, "POST", pods, { metadata: { name }, spec: { containers: [container], ...spec } });
  const silent = await make("a", {});
  expect(silent.body.spec).toMatchObject({ priority: 7, priorityClassName: "high" });
  const critical = await make("b", { priorityClassName: "system-node-critical" });
  expect(critical.body.spec.priority).toBe(2_000_001_000);
  const missing = await make("c", { priorityClassName: "nope" });
  expect([missing.status, missing.body.message]).toEqual([
    403,
    'pods "c" is forbidden: no PriorityClass with name nope was found',
  ]);
});
