import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, Secret } from "@typekube/api/core/v1";
import type { ConformanceCase } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { configMap, deployment } from "../support/objects.js";
import { expectRefusal, rawRequest } from "../support/raw-request.js";

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Cases for creating an object and reading it back. */
export const createAndGet: readonly ConformanceCase[] = [
  {
    id: "create-fills-metadata",
    name: "a create returns the object with the fields that the server sets",
    async run({ client, namespace }) {
      const created = await client
        .resource(ConfigMap, namespace)
        .create(configMap("a", { k: "v" }));
      const { metadata } = created;
      assert.equal(created.kind, "ConfigMap");
      assert.equal(created.apiVersion, "v1");
      assert.deepEqual(created.data, { k: "v" });
      assert.equal(metadata.namespace, namespace);
      assert.match(metadata.uid, uuid);
      assert.match(metadata.creationTimestamp, rfc3339);
      assert.match(metadata.resourceVersion, /^[1-9]\d*$/);
      assert.equal(metadata.generation, undefined);
    },
  },
  {
    id: "ALT8",
    name: "a create responds with 201",
    async run(context) {
      const { status } = await rawRequest(context, {
        method: "POST",
        path: `/api/v1/namespaces/${context.namespace}/configmaps`,
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } },
      });
      assert.equal(status, 201);
    },
  },
  {
    id: "get-equals-create",
    name: "a get returns the same object as the create",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      const created = await deployments.create(deployment("a"));
      assert.deepEqual(await deployments.get("a"), created);
    },
  },
  {
    id: "find-absent",
    name: "find returns undefined for a missing object, and otherwise the object",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      assert.equal(await configMaps.find("a"), undefined);
      const created = await configMaps.create(configMap("a"));
      assert.deepEqual(await configMaps.find("a"), created);
    },
  },
  {
    id: "GRP14",
    name: "a name is unique per kind and namespace",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a"));
      await expectFailure(configMaps.create(configMap("a")), {
        code: 409,
        reason: "AlreadyExists",
        message: 'configmaps "a" already exists',
        details: { name: "a", kind: "configmaps" },
      });
      await client.resource(ConfigMap, "default").create(configMap(`a-${namespace}`));
    },
  },
  {
    id: "GRP15",
    name: "the name of a deleted object can be used again, with another UID",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const first = await configMaps.create(configMap("a"));
      await configMaps.delete("a");
      const second = await configMaps.create(configMap("a"));
      assert.notEqual(second.metadata.uid, first.metadata.uid);
    },
  },
  {
    id: "create-with-version",
    name: "a create with a resourceVersion is rejected",
    async run({ client, namespace }) {
      const object = { metadata: { name: "a", resourceVersion: "1" } };
      await expectFailure(client.resource(ConfigMap, namespace).create(object), {
        code: 500,
        reason: "InternalError",
        message: "resourceVersion should not be set on objects to be created",
      });
    },
  },
  {
    id: "create-without-name",
    name: "a create without a name is rejected",
    async run(context) {
      const request = {
        method: "POST",
        path: `/api/v1/namespaces/${context.namespace}/configmaps`,
        body: { kind: "ConfigMap", apiVersion: "v1", metadata: {} },
      } as const;
      await expectRefusal(context, request, {
        code: 422,
        reason: "Invalid",
        message:
          'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
        details: {
          kind: "ConfigMap",
          causes: [
            {
              reason: "FieldValueRequired",
              message: "Required value: name or generateName is required",
              field: "metadata.name",
            },
          ],
        },
      });
    },
  },
  {
    id: "create-bad-name",
    name: "a name must be a DNS subdomain",
    async run({ client, namespace }) {
      const failure = await expectFailure(
        client.resource(ConfigMap, namespace).create(configMap("Not_A_Name")),
        { code: 422, reason: "Invalid", details: { name: "Not_A_Name", kind: "ConfigMap" } },
      );
      const [cause, ...rest] = failure.causes;
      assert.equal(rest.length, 0);
      assert.equal(cause?.field, "metadata.name");
      assert.equal(cause?.reason, "FieldValueInvalid");
      assert.match(
        cause?.message ?? "",
        /^Invalid value: "Not_A_Name": a lowercase RFC 1123 subdomain/,
      );
    },
  },
  {
    id: "create-bad-label",
    name: "invalid label values are rejected",
    async run({ client, namespace }) {
      const bad = client
        .resource(ConfigMap, namespace)
        .create(configMap("a", {}, { k: "not valid!" }));
      const failure = await expectFailure(bad, { code: 422, reason: "Invalid" });
      assert.deepEqual(
        failure.causes.map(({ field, reason }) => ({ field, reason })),
        [{ field: "metadata.labels", reason: "FieldValueInvalid" }],
      );
    },
  },
  {
    id: "create-ignores-system-fields",
    name: "the server ignores uid, creationTimestamp and generation of a create",
    async run({ client, namespace }) {
      const uid = "00000000-0000-4000-8000-000000000000";
      const created = await client.resource(Deployment, namespace).create({
        ...deployment("a"),
        metadata: { name: "a", uid, creationTimestamp: "2001-01-01T00:00:00Z", generation: 7 },
      });
      assert.notEqual(created.metadata.uid, uid);
      assert.notEqual(created.metadata.creationTimestamp, "2001-01-01T00:00:00Z");
      assert.equal(created.metadata.generation, 1);
    },
  },
  {
    id: "create-drops-status",
    name: "the server drops the status of a create if the kind has the status subresource",
    async run({ client, namespace }) {
      const created = await client
        .resource(Deployment, namespace)
        .create({ ...deployment("a"), status: { replicas: 7 } });
      assert.equal(created.status?.replicas, undefined);
    },
  },
  {
    id: "data-any-text",
    name: "text of any script, control characters and long strings round-trip",
    async run({ client, namespace }) {
      const data = {
        unicode: "ä ß 中文 🚀 \u{10ffff}",
        controls: "\u0000\u0001\u001f\u007f\u0085\u009f\u2028\u2029\ufeff",
        quotes: `" ' \\ / \` \${} </script>`,
        lines: "a\nb\r\nc\td\n",
        spaces: "  both ends  ",
        numbers: "010",
        empty: "",
        long: "0123456789abcdef".repeat(10_000),
      };
      const configMaps = client.resource(ConfigMap, namespace);
      assert.deepEqual((await configMaps.create(configMap("a", data))).data, data);
      assert.deepEqual((await configMaps.get("a", { encoding: "protobuf" })).data, data);
    },
  },
  {
    id: "data-proto-key",
    name: "keys such as __proto__ and constructor are stored like other keys",
    async run({ client, namespace }) {
      const text = '{"__proto__":"one","constructor":"two","toString":"three"}';
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create({ metadata: { name: "a" }, data: JSON.parse(text) });
      for (const encoding of ["json", "protobuf"] as const) {
        const { data } = await configMaps.get("a", { encoding });
        assert.deepEqual(Object.entries(data ?? {}).sort(), [
          ["__proto__", "one"],
          ["constructor", "two"],
          ["toString", "three"],
        ]);
      }
    },
  },
  {
    id: "secret-string-data",
    name: "stringData of a Secret is merged into data and overrides it",
    async run({ client, namespace }) {
      const secrets = client.resource(Secret, namespace);
      await secrets.create({
        metadata: { name: "a" },
        data: { kept: "a2VwdA==", both: "b2xk" },
        stringData: { both: "new" },
      });
      const secret = await secrets.get("a");
      assert.deepEqual(secret.data, { kept: "a2VwdA==", both: "bmV3" });
      assert.equal(secret.stringData, undefined);
      assert.equal(secret.type, "Opaque");
    },
  },
  {
    id: "secret-bad-base64",
    name: "a Secret with data that is not base64 is rejected",
    async run({ client, namespace }) {
      const bad = { metadata: { name: "a" }, data: { k: "not base64!" } };
      await expectFailure(client.resource(Secret, namespace).create(bad), {
        code: 400,
        reason: "BadRequest",
        message: /illegal base64 data at input byte 3/,
      });
    },
  },
  {
    id: "config-map-bad-key",
    name: "a ConfigMap with an invalid key is rejected",
    async run({ client, namespace }) {
      const bad = client
        .resource(ConfigMap, namespace)
        .create(configMap("a", { "no spaces": "x" }));
      const { causes } = await expectFailure(bad, { code: 422, reason: "Invalid" });
      assert.deepEqual(
        causes.map(({ field, reason }) => ({ field, reason })),
        [{ field: "data[no spaces]", reason: "FieldValueInvalid" }],
      );
    },
  },
];
