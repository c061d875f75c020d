import assert from "node:assert/strict";
import { mediaTypes } from "@typekube/core/internal";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { accepted, rawCollection, refused } from "../support/raw-collection.js";
import { rawRequest } from "../support/raw-request.js";

/** Cases for the values that a server returns for objects written in another than the stored form. */
export const storedValues: readonly ConformanceCase[] = [
  {
    id: "stored-times",
    name: "times are stored in UTC, in seconds or microseconds, whatever their written form",
    async run(context) {
      const leases = rawCollection(context, "/apis/coordination.k8s.io/v1/%/leases");
      const spec = { renewTime: "2026-01-01T02:00:00.123456+02:00" };
      const kept = { renewTime: "2026-01-01T00:00:00.123456Z" };
      const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease" };
      const body = { ...lease, metadata: { name: "a" }, spec };
      assert.deepEqual((await accepted(leases.post("", body)))["spec"], kept);
      assert.deepEqual((await accepted(leases.get("/a")))["spec"], kept);
      const next = { renewTime: "2026-01-01T00:00:01,000000+01:00" };
      const merged = await accepted(leases.merge("/a", { spec: next }));
      assert.deepEqual(merged["spec"], { renewTime: "2025-12-31T23:00:01.000000Z" });
      const applied = { ...lease, metadata: { name: "b" }, spec };
      const path = "/apis/coordination.k8s.io/v1/%/leases/b";
      assert.deepEqual((await apply(context, path, applied))["spec"], kept);
      const pods = rawCollection(context, "/api/v1/%/pods");
      await accepted(pods.post("", pod("a")));
      const conditions = (lastTransitionTime: string) => ({
        status: { conditions: [{ type: "Odd", status: "True", lastTransitionTime }] },
      });
      for (const [given, stored] of [
        ["2026-03-04T05:06:07.891Z", "2026-03-04T05:06:07Z"],
        ["2026-03-04T00:06:07+01:00", "2026-03-03T23:06:07Z"],
        ["9999-12-31T23:59:59-01:00", "10000-01-01T00:59:59Z"],
      ] as const) {
        type WithStatus = ReturnType<typeof conditions>;
        const { status } = await accepted<WithStatus>(
          pods.strategic("/a/status", conditions(given)),
        );
        assert.equal(status.conditions[0]?.lastTransitionTime, stored);
      }
    },
  },
  {
    id: "stored-owners",
    name: "times in managedFields that a client sends are stored in UTC, also in custom resources",
    async run(context) {
      const configMaps = rawCollection(context, "/api/v1/%/configmaps");
      const owner = (time: string) => ({
        manager: "other",
        operation: "Update",
        apiVersion: "v1",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": { "f:a": {} } },
        time,
      });
      await accepted(configMaps.post("", configMap({ name: "a" }, { a: "b" })));
      const managedFields = [owner("2026-03-04T00:06:07.5+01:00")];
      const sent = configMap({ name: "a", managedFields }, { a: "b" });
      type WithOwners = { metadata: { managedFields: { manager: string; time: string }[] } };
      const { metadata } = await accepted<WithOwners>(configMaps.put("/a", sent));
      const found = metadata.managedFields.find(({ manager }) => manager === "other");
      assert.equal(found?.time, "2026-03-03T23:06:07Z");
    },
  },
  {
    id: "stored-bytes",
    name: "base64 is stored without line breaks and with zeros in its unused bits",
    async run(context) {
      const secrets = rawCollection(context, "/api/v1/%/secrets");
      const secret = (data: object) => ({
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: "a" },
        data,
      });
      const made = await accepted(secrets.post("", secret({ a: "YW\r\nJj\n", b: "YR==", c: "" })));
      assert.deepEqual(made["data"], { a: "YWJj", b: "YQ==", c: "" });
      const merged = await accepted(secrets.merge("/a", { data: { a: "Y\nQ==" } }));
      assert.deepEqual(merged["data"], { a: "YQ==", b: "YQ==", c: "" });
      const same = await accepted(secrets.merge("/a", { data: { a: "YQ=\n=" } }));
      assert.deepEqual(
        same["metadata"],
        merged["metadata"],
        "another way to write it is no change",
      );
    },
  },
  {
    id: "stored-quantities",
    name: "quantities are stored as Go formats them, in resource lists rounded up to milli-units",
    async run(context) {
      const quotas = rawCollection(context, "/api/v1/%/resourcequotas");
      const hard = {
        "requests.cpu": "0.0001",
        "limits.cpu": "1e-1",
        "requests.memory": "0.1Mi",
        "limits.memory": "1024Mi",
        pods: "+7",
        services: "05",
        secrets: "1E2",
      };
      const quota = {
        apiVersion: "v1",
        kind: "ResourceQuota",
        metadata: { name: "a" },
        spec: { hard },
      };
      const made = await accepted<typeof quota>(quotas.post("", quota));
      assert.deepEqual(made.spec.hard, {
        "requests.cpu": "1m",
        "limits.cpu": "100e-3",
        "requests.memory": "104857600m",
        "limits.memory": "1Gi",
        pods: "+7",
        services: "05",
        secrets: "100",
      });
      await accepted(quotas.delete("/a"));
      const classes = rawCollection(context, "/apis/node.k8s.io/v1/runtimeclasses");
      const name = context.namespace;
      const runtime = await accepted(
        classes.post("", {
          apiVersion: "node.k8s.io/v1",
          kind: "RuntimeClass",
          metadata: { name },
          handler: "a",
          overhead: { podFixed: { cpu: "0.0001" } },
        }),
      );
      assert.deepEqual(runtime["overhead"], { podFixed: { cpu: "100u" } });
      await accepted(classes.delete(`/${name}`));
    },
  },
  {
    id: "stored-quantity-texts",
    name: "an invalid quantity is rejected with the message for the invalid part",
    async run(context) {
      const quotas = rawCollection(context, "/api/v1/%/resourcequotas");
      const refusal = async (cpu: string) => {
        const metadata = { name: "a" };
        const spec = { hard: { cpu } };
        const body = { apiVersion: "v1", kind: "ResourceQuota", metadata, spec };
        const [status, why] = await refused(quotas.post("", body));
        return [status, why.replace(/^.* cannot be handled as a ResourceQuota: /, "")];
      };
      const form = "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$";
      assert.deepEqual(await refusal("1.2.3"), [
        400,
        `quantities must match the regular expression '${form}'`,
      ]);
      assert.deepEqual(await refusal("5ki"), [400, "unable to parse quantity's suffix"]);
      assert.deepEqual(await refusal("Pi"), [400, "unable to parse numeric part of quantity"]);
    },
  },
  {
    id: "stored-generation",
    name: "kinds without a generation counter keep the generation of a create and never change it",
    async run(context) {
      const configMaps = rawCollection(context, "/api/v1/%/configmaps");
      const generationOf = async (response: ReturnType<typeof configMaps.get>) =>
        (await accepted<{ metadata: { generation?: number } }>(response)).metadata.generation;
      const sent = (generation: number, data = {}) => configMap({ name: "a", generation }, data);
      assert.deepEqual(await refused(configMaps.post("", sent(-2))), [
        422,
        'ConfigMap "a" is invalid: metadata.generation: Invalid value: -2: must be greater than or equal to 0',
      ]);
      assert.equal(await generationOf(configMaps.post("", sent(7))), 7);
      assert.equal(await generationOf(configMaps.put("/a", sent(30, { a: "b" }))), 7);
      const applied = await apply(
        context,
        "/api/v1/%/configmaps/b",
        configMap({ name: "b", generation: 5 }),
      );
      assert.equal((applied["metadata"] as { generation?: number }).generation, 5);
      const deployments = rawCollection(context, "/apis/apps/v1/%/deployments");
      const deployment = {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "a", generation: 7 },
        spec: {
          selector: { matchLabels: { a: "b" } },
          template: { metadata: { labels: { a: "b" } }, spec: pod("a").spec },
        },
      };
      assert.equal(await generationOf(deployments.post("", deployment)), 1);
    },
  },
  {
    id: "create-version-checked-last",
    name: "a create with a resourceVersion is validated first, and accepted as a dry run",
    async run(context) {
      const configMaps = rawCollection(context, "/api/v1/%/configmaps");
      const set = "resourceVersion should not be set on objects to be created";
      const sent = (name: string, resourceVersion: string) => configMap({ name, resourceVersion });
      assert.deepEqual(await refused(configMaps.post("", sent("a", "5"))), [500, set]);
      assert.equal((await refused(configMaps.post("", sent("Bad_", "5"))))[0], 422);
      await accepted(configMaps.post("?dryRun=All", sent("a", "5")));
      await accepted(configMaps.post("", sent("a", "0")));
      await accepted(configMaps.post("", sent("b", "odd")));
      assert.equal((await refused(configMaps.post("?dryRun=All", sent("a", "5"))))[0], 409);
    },
  },
  {
    id: "apply-without-version",
    name: "an apply treats an empty resourceVersion and 0 as unset",
    async run(context) {
      const path = "/api/v1/%/configmaps/a";
      const sent = (resourceVersion: string, data = {}) =>
        configMap({ name: "a", resourceVersion }, data);
      await apply(context, path, sent("5"));
      await apply(context, path, sent("", { a: "1" }));
      await apply(context, path, sent("0", { a: "2" }));
      const other = await refused(applying(context, path, sent("1")));
      assert.equal(other[0], 409);
      assert.deepEqual(await refused(applying(context, path, sent("odd"))), [
        500,
        'strconv.ParseUint: parsing "odd": invalid syntax',
      ]);
    },
  },
  {
    id: "first-document",
    name: "the server reads the first document of a YAML body, whatever follows",
    async run(context) {
      const head = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
      const post = (body: string) =>
        rawRequest(context, {
          method: "POST",
          path: `/api/v1/namespaces/${context.namespace}/configmaps`,
          contentType: mediaTypes.yaml,
          body,
        });
      for (const [name, rest] of [
        ["a", "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: z}\n"],
        ["b", "---\n: {{{\n"],
        ["c", "...\nodd\n"],
      ] as const) {
        const made = await accepted<{ metadata: { name: string } }>(post(head(name) + rest));
        assert.equal(made.metadata.name, name);
      }
      await accepted(post(`%YAML 1.1\n# all of it\n---\n${head("d")}data: {a: "--- b"}\n---\n`));
      const empty = await refused(post(`---\n---\n${head("e")}`));
      assert.deepEqual(empty, [
        422,
        'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
      ]);
      const applied = await rawRequest(context, {
        method: "PATCH",
        path: `/api/v1/namespaces/${context.namespace}/configmaps/a?fieldManager=x`,
        contentType: mediaTypes.applyYaml,
        body: `${head("a")}data: {a: b}\n---\nodd: [\n`,
      });
      assert.equal(applied.status, 200, applied.text);
    },
  },
];

function configMap(metadata: object, data: object = {}) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data };
}

function pod(name: string) {
  const spec = { restartPolicy: "Always", containers: [{ name: "c", image: "i" }] };
  return { apiVersion: "v1", kind: "Pod", metadata: { name }, spec };
}

type Context = Pick<ConformanceContext, "client" | "namespace" | "signal">;

function applying(context: Context, path: string, body: object) {
  return rawRequest(context, {
    method: "PATCH",
    path: `${path.replace("%", `namespaces/${context.namespace}`)}?fieldManager=x&force=true`,
    contentType: mediaTypes.applyYaml,
    body,
  });
}

function apply(context: Context, path: string, body: object): Promise<Record<string, unknown>> {
  return accepted(applying(context, path, body));
}
