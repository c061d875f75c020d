import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap } from "@typekube/api/core/v1";
import { type Encoding, mergePatch } from "@typekube/client";
import { codecs } from "@typekube/core/internal";
import type { ConformanceCase } from "../conformance-case.js";
import { configMap, createConfigMaps, deployment } from "../support/objects.js";
import { expectRefusal, rawRequest } from "../support/raw-request.js";
import { readObjects } from "../support/read-watch.js";
import { widgetsIn } from "../support/widgets.js";

type Requested = Exclude<Encoding, "auto" | "json">;

const requested = ["protobuf", "cbor", "yaml"] as const satisfies readonly Requested[];
const json = { encoding: "json" } as const;

/** Strings that a careless YAML encoder turns into other values. */
const data = {
  a: "yes",
  b: "010",
  c: "1_000",
  d: "null",
  e: "two\nlines\n",
  f: " ä🚀\u2028",
  g: "",
};

/** Cases for round trips in each encoding, whose results must be equal. */
export const encodingRoundTrips: readonly ConformanceCase[] = [
  ...requested.flatMap(roundTrips),
  {
    id: "ALT2",
    name: "CBOR: one object is application/cbor, and a watch requested as that is application/cbor-seq",
    async run(context) {
      const { client, namespace } = context;
      await createConfigMaps(client, namespace, 1);
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      const accept = "application/cbor, application/json;q=0.9";
      const list = await rawRequest(context, { path, accept });
      assert.equal(list.headers["content-type"], "application/cbor");
      const watch = `${path}?watch=1&resourceVersion=0&timeoutSeconds=1`;
      const events = await context.whileTimePasses(rawRequest(context, { path: watch, accept }));
      assert.equal(events.headers["content-type"], "application/cbor-seq");
      const refused = await rawRequest(context, { path: watch, accept: "application/cbor-seq" });
      assert.equal(refused.status, 406);
    },
  },
  {
    id: "ALT20",
    name: "a patch in CBOR responds with UnsupportedMediaType",
    async run(context) {
      const { client, namespace } = context;
      await createConfigMaps(client, namespace, 1);
      await expectRefusal(
        context,
        {
          method: "PATCH",
          path: `/api/v1/namespaces/${namespace}/configmaps/cm-00`,
          contentType: "application/strategic-merge-patch+cbor",
          body: await codecs.cbor.encode({}),
        },
        { code: 415, reason: "UnsupportedMediaType" },
      );
      const patch = mergePatch({ data: { k: "v" } });
      const cbor = { encoding: "cbor" } as const;
      const patched = await client.resource(ConfigMap, namespace).patch("cm-00", patch, cbor);
      assert.equal(patched.data?.["k"], "v");
    },
  },
  {
    id: "ALT7-protobuf",
    name: "a protobuf body gets a JSON response",
    async run(context) {
      const object = { apiVersion: "v1", kind: "ConfigMap", ...configMap("a", { k: "v" }) };
      const { labels: _, ...metadata } = object.metadata ?? {};
      const response = await rawRequest(context, {
        method: "POST",
        path: `/api/v1/namespaces/${context.namespace}/configmaps`,
        accept: "application/json",
        contentType: "application/vnd.kubernetes.protobuf",
        body: await codecs.protobuf.encode({ ...object, metadata }),
      });
      assert.equal(response.status, 201);
      assert.deepEqual(response.json()["data"], { k: "v" });
    },
  },
  {
    id: "ALT13",
    name: "a protobuf body with another prefix is rejected",
    async run(context) {
      const body = Uint8Array.of(0x6b, 0x39, 0x73, 0, 10, 0);
      const response = await rawRequest(context, {
        method: "POST",
        path: `/api/v1/namespaces/${context.namespace}/configmaps`,
        contentType: "application/vnd.kubernetes.protobuf",
        body,
      });
      assert.equal(response.status, 400);
    },
  },
];

function roundTrips(encoding: Requested): ConformanceCase[] {
  const options = { encoding } as const;
  return [
    {
      id: `ALT1-${encoding}`,
      name: `objects created, read, listed and updated in ${encoding} equal those in JSON`,
      async run({ client, namespace }) {
        const configMaps = client.resource(ConfigMap, namespace);
        const created = await configMaps.create(
          { metadata: { name: "a" }, data, binaryData: { bytes: "AAH//w==" } },
          options,
        );
        assert.deepEqual(created.data, data);
        assert.deepEqual(await configMaps.get("a", json), created);
        assert.deepEqual(await configMaps.get("a", options), created);
        const fieldSelector = "metadata.name=a";
        const list = await configMaps.list({ ...options, fieldSelector });
        assert.deepEqual(list, await configMaps.list({ ...json, fieldSelector }));
        assert.deepEqual(list.items, [created]);
        const updated = await configMaps.update({ ...created, data: { yes: "no" } }, options);
        assert.deepEqual(updated.data, { yes: "no" });
        assert.deepEqual(await configMaps.get("a", json), updated);
      },
    },
    {
      id: `ALT1-deployment-${encoding}`,
      name: `a Deployment and its scale are equal in ${encoding} and JSON`,
      async run({ client, namespace }) {
        const deployments = client.resource(Deployment, namespace);
        const created = await deployments.create(deployment("a"), options);
        assert.deepEqual(await deployments.get("a", options), created);
        assert.deepEqual(
          await deployments.scale.get("a", options),
          await deployments.scale.get("a", json),
        );
      },
    },
    {
      id: `ALT1-custom-${encoding}`,
      name: `a custom resource in ${encoding} keeps every value that its schema allows`,
      async run({ client, namespace }) {
        const widgets = widgetsIn(client, namespace);
        const spec = {
          ...data,
          list: [1, "two", true, { three: [] }],
          nested: { empty: {}, no: false, zero: 0, float: 1.5, negative: -3 },
          big: 9007199254740993n,
        };
        const created = await widgets.create({ metadata: { name: "a" }, spec }, options);
        assert.deepEqual(created["spec"], spec);
        assert.deepEqual(await widgets.get("a", options), created);
        assert.deepEqual(await widgets.list(options), await widgets.list(json));
        const written = await widgets.update(await widgets.get("a", options), options);
        assert.equal(written.metadata.resourceVersion, created.metadata.resourceVersion);
      },
    },
    {
      id: `apply-${encoding}`,
      name: `an apply in ${encoding} owns the fields that it sets`,
      async run({ client, namespace }) {
        const configMaps = client.resource(ConfigMap, namespace);
        const mine = { ...options, fieldManager: "me" };
        await configMaps.apply({ metadata: { name: "a" }, data: { x: "1", y: "2" } }, mine);
        const applied = await configMaps.apply({ metadata: { name: "a" }, data: { x: "1" } }, mine);
        assert.deepEqual(applied.data, { x: "1" });
        assert.deepEqual(await configMaps.get("a", json), applied);
      },
    },
    {
      id: `WAT21-${encoding}`,
      name: `the watch events in ${encoding} equal those in JSON`,
      async run({ client, namespace, signal }) {
        const configMaps = client.resource(ConfigMap, namespace);
        const { resourceVersion } = (await configMaps.list()).metadata;
        await configMaps.create(configMap("a", data));
        await configMaps.patch("a", mergePatch({ data: { a: null } }));
        await configMaps.delete("a");
        const [seen, expected] = await Promise.all(
          [options, json].map((read) =>
            readObjects(configMaps.watch({ resourceVersion, signal, ...read }), 3),
          ),
        );
        assert.deepEqual(seen, expected);
      },
    },
  ];
}
