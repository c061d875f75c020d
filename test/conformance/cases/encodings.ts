import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { CronJob } from "@typekube/api/batch/v1";
import { ConfigMap, Pod, Secret, Service } from "@typekube/api/core/v1";
import { Ingress, NetworkPolicy } from "@typekube/api/networking/v1";
import type { ConformanceCase } from "../conformance-case.js";
import { collect } from "../support/collect.js";
import { createConfigMaps, deployment, pod } from "../support/objects.js";
import { rawRequest } from "../support/raw-request.js";
import { readObjects } from "../support/read-watch.js";

const json = { encoding: "json" } as const;
const protobuf = { encoding: "protobuf" } as const;

/** Methods that the resource clients of all kinds below share. */
interface Readable {
  get(name: string, options: typeof json | typeof protobuf): Promise<unknown>;
  list(options: typeof json | typeof protobuf): Promise<{ readonly items: readonly unknown[] }>;
}

/** Compares both encodings of an object that was created with the name `a`. */
async function sameInBoth(resource: Readable, created: unknown): Promise<void> {
  assert.deepEqual(await resource.get("a", protobuf), await resource.get("a", json));
  assert.deepEqual(await resource.get("a", json), created);
  const [fromJson, fromProtobuf] = [await resource.list(json), await resource.list(protobuf)];
  assert.deepEqual(fromProtobuf, fromJson);
  assert.deepEqual(fromJson.items, [created]);
}

/** Cases that show that the client returns equal objects from every encoding. */
export const encodings: readonly ConformanceCase[] = [
  {
    id: "GRP1-pod",
    name: "a Pod is equal in JSON and protobuf",
    async run({ client, namespace }) {
      const pods = client.resource(Pod, namespace);
      const created = await pods.create({
        metadata: { name: "a", annotations: { "x.io/empty": "" } },
        spec: {
          containers: [
            {
              name: "main",
              image: "registry.k8s.io/pause:3.10",
              command: ["sh", "-c", "exit 0"],
              env: [
                { name: "PLAIN", value: "1" },
                { name: "FIELD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
              ],
              ports: [{ containerPort: 80 }],
              resources: { requests: { cpu: "100m", memory: "64Mi" }, limits: { memory: "1Gi" } },
              livenessProbe: { httpGet: { path: "/", port: "http" }, periodSeconds: 7 },
              readinessProbe: { tcpSocket: { port: 80 } },
            },
          ],
          tolerations: [{ key: "x", operator: "Exists" }],
          volumes: [{ name: "tmp", emptyDir: {} }],
          terminationGracePeriodSeconds: 0,
        },
      });
      await sameInBoth(pods, created);
    },
  },
  {
    id: "GRP1-deployment",
    name: "a Deployment is equal in JSON and protobuf",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      await sameInBoth(deployments, await deployments.create(deployment("a")));
    },
  },
  {
    id: "GRP1-secret",
    name: "a Secret is equal in JSON and protobuf",
    async run({ client, namespace }) {
      const secrets = client.resource(Secret, namespace);
      const data = { bytes: "AAH//w==", empty: "", text: "aGVsbG8=" };
      await sameInBoth(secrets, await secrets.create({ metadata: { name: "a" }, data }));
    },
  },
  {
    id: "GRP1-config-map",
    name: "a ConfigMap with binary data is equal in JSON and protobuf",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const created = await configMaps.create({
        metadata: { name: "a" },
        data: { text: "ä🚀\n" },
        binaryData: { bytes: "AAH//w==" },
      });
      const read = { ...json, fieldSelector: "metadata.name=a" };
      assert.deepEqual(await configMaps.get("a", protobuf), created);
      const lists = [await configMaps.list(read), await configMaps.list({ ...read, ...protobuf })];
      assert.deepEqual(lists[0], lists[1]);
    },
  },
  {
    id: "GRP1-service",
    name: "a Service with numeric and named ports is equal in JSON and protobuf",
    async run({ client, namespace }) {
      const services = client.resource(Service, namespace);
      const created = await services.create({
        metadata: { name: "a" },
        spec: {
          clusterIP: "None",
          selector: { app: "a" },
          ports: [
            { name: "one", port: 80, targetPort: 8080 },
            { name: "two", port: 81, targetPort: "web" },
          ],
        },
      });
      await sameInBoth(services, created);
    },
  },
  {
    id: "GRP1-cron-job",
    name: "a CronJob is equal in JSON and protobuf",
    async run({ client, namespace }) {
      const cronJobs = client.resource(CronJob, namespace);
      const { spec } = pod("a");
      const created = await cronJobs.create({
        metadata: { name: "a" },
        spec: {
          schedule: "*/5 * * * *",
          suspend: true,
          jobTemplate: {
            spec: { template: { spec: { containers: [], ...spec, restartPolicy: "Never" } } },
          },
        },
      });
      await sameInBoth(cronJobs, created);
    },
  },
  {
    id: "GRP1-network",
    name: "an Ingress and a NetworkPolicy are equal in JSON and protobuf",
    async run({ client, namespace }) {
      const ingresses = client.resource(Ingress, namespace);
      const service = { name: "web", port: { number: 80 } };
      const ingress = await ingresses.create({
        metadata: { name: "a" },
        spec: { defaultBackend: { service } },
      });
      await sameInBoth(ingresses, ingress);
      const policies = client.resource(NetworkPolicy, namespace);
      const policy = await policies.create({
        metadata: { name: "a" },
        spec: {
          podSelector: {},
          policyTypes: ["Ingress"],
          ingress: [{}, { ports: [{ port: 80 }, { port: "web" }] }],
        },
      });
      await sameInBoth(policies, policy);
    },
  },
  {
    id: "WAT21",
    name: "watch events are equal in JSON and protobuf",
    async run({ client, namespace, signal }) {
      const deployments = client.resource(Deployment, namespace);
      const { metadata } = await deployments.list();
      const { resourceVersion } = metadata;
      await deployments.create(deployment("a"));
      await deployments.delete("a");
      const [fromJson, fromProtobuf] = await Promise.all(
        [json, protobuf].map((encoding) =>
          readObjects(deployments.watch({ resourceVersion, signal, ...encoding }), 2),
        ),
      );
      assert.deepEqual(fromProtobuf, fromJson);
    },
  },
  {
    id: "encoding-items",
    name: "iterating over pages yields the same items in JSON and protobuf",
    async run({ client, namespace }) {
      await createConfigMaps(client, namespace, 7);
      const configMaps = client.resource(ConfigMap, namespace);
      const walk = (options: typeof json | typeof protobuf) =>
        collect(configMaps.items({ pageSize: 3, ...options }));
      assert.deepEqual(await walk(protobuf), await walk(json));
    },
  },
  {
    id: "CHK13",
    name: "list items have kind and apiVersion in every encoding",
    async run({ client, namespace }) {
      await createConfigMaps(client, namespace, 2);
      for (const options of [json, protobuf]) {
        const { kind, apiVersion, items } = await client
          .resource(ConfigMap, namespace)
          .list(options);
        assert.deepEqual([kind, apiVersion], ["ConfigMapList", "v1"]);
        for (const item of items) {
          assert.deepEqual([item.kind, item.apiVersion], ["ConfigMap", "v1"]);
        }
      }
    },
  },
  {
    id: "managed-fields-off",
    name: "managedFields: false omits managedFields and nothing else",
    async run({ client, namespace }) {
      await createConfigMaps(client, namespace, 1);
      const configMaps = client.resource(ConfigMap, namespace);
      const [full] = (await configMaps.list()).items;
      assert.ok(full?.metadata.managedFields);
      const { managedFields: _, ...metadata } = full.metadata;
      for (const options of [json, protobuf]) {
        const [lean] = (await configMaps.list({ ...options, managedFields: false })).items;
        assert.deepEqual(lean, { ...full, metadata });
      }
    },
  },
  {
    id: "ALT3",
    name: "the content-type of the response names its encoding",
    async run(context) {
      const path = `/api/v1/namespaces/${context.namespace}/configmaps`;
      const accepted = [
        ["application/json", "application/json"],
        ["*/*", "application/json"],
        ["application/yaml", "application/yaml"],
        ["application/vnd.kubernetes.protobuf", "application/vnd.kubernetes.protobuf"],
        ["application/json;q=0.1, application/yaml;q=0.9", "application/yaml"],
      ] as const;
      for (const [accept, contentType] of accepted) {
        const { headers } = await rawRequest(context, { path, accept });
        assert.equal(headers["content-type"], contentType, accept);
      }
    },
  },
  {
    id: "ALT7",
    name: "a YAML body gets a JSON response",
    async run(context) {
      const response = await rawRequest(context, {
        method: "POST",
        path: `/api/v1/namespaces/${context.namespace}/configmaps`,
        contentType: "application/yaml",
        body: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: v\n",
      });
      assert.equal(response.status, 201);
      assert.deepEqual(response.json()["data"], { k: "v" });
    },
  },
  {
    id: "ALT22",
    name: "PartialObjectMetadata has no spec and no status",
    async run(context) {
      const { client, namespace } = context;
      const { metadata } = await client.resource(Deployment, namespace).create(deployment("a"));
      const response = await rawRequest(context, {
        path: `/apis/apps/v1/namespaces/${namespace}/deployments/a`,
        accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
      });
      assert.deepEqual(response.json(), {
        kind: "PartialObjectMetadata",
        apiVersion: "meta.k8s.io/v1",
        metadata,
      });
    },
  },
  {
    id: "TAB1",
    name: "a table has columns and one row per object",
    async run(context) {
      await createConfigMaps(context.client, context.namespace, 2);
      const table = (
        await rawRequest(context, {
          path: `/api/v1/namespaces/${context.namespace}/configmaps`,
          accept: "application/json;as=Table;g=meta.k8s.io;v=v1",
        })
      ).json<{
        kind: string;
        columnDefinitions: { name: string }[];
        rows: { cells: unknown[] }[];
      }>();
      assert.equal(table.kind, "Table");
      assert.equal(table.columnDefinitions[0]?.name, "Name");
      assert.deepEqual(
        table.rows.map(({ cells }) => cells[0]),
        ["cm-00", "cm-01"],
      );
    },
  },
];
