import assert from "node:assert/strict";
import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { jsonPatch, mergePatch, strategicPatch } from "@typekube/client";
import type { ConformanceCase } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { configMap, pod } from "../support/objects.js";
import { expectRefusal, rawRequest } from "../support/raw-request.js";

/** Cases for JSON and merge patches, and for rules of every patch. */
export const patches: readonly ConformanceCase[] = [
  {
    id: "UPD10",
    name: "a merge patch sets and replaces values, and removes them with null",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a", { kept: "1", changed: "1", removed: "1" }));
      const patched = await configMaps.patch(
        "a",
        mergePatch({ data: { changed: "2", removed: null, added: "2" } }),
      );
      assert.deepEqual(patched.data, { kept: "1", changed: "2", added: "2" });
      assert.deepEqual(await configMaps.get("a"), patched);
    },
  },
  {
    id: "json-patch-copied-bytes",
    name: "the copy operations of a JSON patch can add at most 3 MiB",
    async run(context) {
      const large = configMap("a", { k: "x".repeat(750_000), html: "<".repeat(180_000) });
      await context.client.resource(ConfigMap, context.namespace).create(large);
      const copies = (from: string, count: number) =>
        Array.from({ length: count }, (_, at) => ({ op: "copy", from, path: `/data/c${at}` }));
      const patched = (operations: readonly object[]) => ({
        method: "PATCH" as const,
        path: `/api/v1/namespaces/${context.namespace}/configmaps/a`,
        contentType: "application/json-patch+json",
        body: operations,
      });
      const removed = [0, 1, 2, 3].map((at) => ({ op: "remove", path: `/data/c${at}` }));
      const fitting = await rawRequest(context, patched([...copies("/data/k", 4), ...removed]));
      assert.equal(fitting.status, 200);
      // Each `<` counts as the six bytes of its escape sequence.
      const beyond = [copies("/data/k", 5), copies("/data/html", 3), copies("/data", 40)];
      for (const operations of beyond) {
        await expectRefusal(context, patched(operations), { code: 422, reason: "Invalid" });
      }
    },
  },
  {
    id: "json-patch-missing-keys",
    name: "a JSON patch can replace a missing key, but neither move nor remove it",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a", { k: "1" }));
      const patched = await configMaps.patch(
        "a",
        jsonPatch([{ op: "replace", path: "/data/new", value: "1" }]),
      );
      assert.equal(patched.data?.["new"], "1");
      for (const operation of [
        { op: "move", from: "/data/nothing", path: "/data/moved" },
        { op: "remove", path: "/data/nothing" },
        { op: "replace", path: "/nothing/x", value: "1" },
      ] as const) {
        const failing = configMaps.patch("a", jsonPatch([operation]));
        await expectFailure(failing, { code: 422, reason: "Invalid" });
      }
    },
  },
  {
    id: "merge-replaces-lists",
    name: "a merge patch replaces a whole list",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create({ metadata: { name: "a", finalizers: ["x.io/1", "x.io/2"] } });
      const patched = await configMaps.patch(
        "a",
        mergePatch({ metadata: { finalizers: ["x.io/3"] } }),
      );
      assert.deepEqual(patched.metadata.finalizers, ["x.io/3"]);
      await configMaps.patch("a", mergePatch({ metadata: { finalizers: null } }));
    },
  },
  {
    id: "json-patch-operations",
    name: "a JSON patch runs its operations in order",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a", { one: "1", two: "2", "a.b": "3" }));
      const patched = await configMaps.patch(
        "a",
        jsonPatch([
          { op: "test", path: "/data/one", value: "1" },
          { op: "replace", path: "/data/one", value: "I" },
          { op: "copy", from: "/data/one", path: "/data/copy" },
          { op: "move", from: "/data/two", path: "/data/moved" },
          { op: "remove", path: "/data/a.b" },
          { op: "add", path: "/metadata/labels", value: { "x.io/y": "z" } },
          { op: "replace", path: "/metadata/labels/x.io~1y", value: "w" },
        ]),
      );
      assert.deepEqual(patched.data, { one: "I", copy: "I", moved: "2" });
      assert.deepEqual(patched.metadata.labels, { "x.io/y": "w" });
    },
  },
  {
    id: "UPD7",
    name: "a JSON patch with a failed test changes nothing",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const before = await configMaps.create(configMap("a", { k: "1" }));
      const patch = jsonPatch([
        { op: "replace", path: "/data/k", value: "2" },
        { op: "test", path: "/data/k", value: "1" },
      ]);
      await expectFailure(configMaps.patch("a", patch), { code: 422, reason: "Invalid" });
      assert.deepEqual(await configMaps.get("a"), before);
    },
  },
  {
    id: "json-patch-test-null",
    name: "a JSON patch can test a missing key for null",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create({ metadata: { name: "a" } });
      const patched = await configMaps.patch(
        "a",
        jsonPatch([
          { op: "test", path: "/metadata/finalizers", value: null },
          { op: "add", path: "/metadata/finalizers", value: ["x.io/a"] },
        ]),
      );
      assert.deepEqual(patched.metadata.finalizers, ["x.io/a"]);
      await configMaps.patch("a", jsonPatch([{ op: "remove", path: "/metadata/finalizers" }]));
    },
  },
  {
    id: "json-patch-missing-path",
    name: "a JSON patch cannot remove a missing key",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a"));
      const patch = jsonPatch([{ op: "remove", path: "/data/nothing" }]);
      await expectFailure(configMaps.patch("a", patch), { code: 422, reason: "Invalid" });
    },
  },
  {
    id: "json-patch-no-slash",
    name: "the server ignores the part of a path before the first slash; the client rejects such a path",
    async run(context) {
      const configMaps = context.client.resource(ConfigMap, context.namespace);
      await configMaps.create(configMap("a", { k: "1" }));
      const body = (path: string) => [{ op: "replace", path, value: "2" } as const];
      assert.throws(() => jsonPatch(body("data/k")), { code: "InvalidArgument" });
      const path = `/api/v1/namespaces/${context.namespace}/configmaps/a`;
      const contentType = "application/json-patch+json";
      for (const [pointer, status, k] of [
        ["data/k", 200, "1"],
        ["k", 422, "1"],
        ["skipped/data/k", 200, "2"],
      ] as const) {
        const request = { method: "PATCH", path, contentType, body: body(pointer) } as const;
        assert.equal((await rawRequest(context, request)).status, status);
        assert.deepEqual((await configMaps.get("a")).data, { k });
      }
    },
  },
  {
    id: "json-patch-beside-rfc-6902",
    name: "JSON patch indexes may be negative, a copy of a missing key is null, and missing targets are rejected",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const finalizers = ["x.io/1", "x.io/2"];
      await configMaps.create({
        metadata: { name: "a", finalizers },
        data: { k: "1" },
      });
      for (const operation of [
        { op: "copy", from: "/data/nothing", path: "/metadata/annotations" },
        { op: "test", path: "/metadata/finalizers/-01", value: "x.io/2" },
        { op: "test", path: "/data/nothing", value: null },
      ] as const) {
        await configMaps.patch("a", jsonPatch([operation]));
      }
      for (const operation of [
        { op: "move", from: "/data/k", path: "/metadata/finalizers/5" },
        { op: "copy", from: "/data/k", path: "/metadata/finalizers/x" },
        { op: "move", from: "/metadata/finalizers/0", path: "/metadata/finalizers/0/x" },
        { op: "move", from: "", path: "/data" },
      ] as const) {
        const failing = configMaps.patch("a", jsonPatch([operation]));
        await expectFailure(failing, { code: 422, reason: "Invalid" });
      }
      const patched = await configMaps.patch(
        "a",
        jsonPatch([{ op: "remove", path: "/metadata/finalizers/-1" }]),
      );
      assert.deepEqual(patched.metadata.finalizers, ["x.io/1"]);
      assert.deepEqual(patched.data, { k: "1" });
      await configMaps.patch("a", mergePatch({ metadata: { finalizers: null } }));
    },
  },
  {
    id: "json-patch-list-index",
    name: "a JSON patch inserts into a list and appends to it",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create({ metadata: { name: "a", finalizers: ["x.io/2"] } });
      const patched = await configMaps.patch(
        "a",
        jsonPatch([
          { op: "add", path: "/metadata/finalizers/0", value: "x.io/1" },
          { op: "add", path: "/metadata/finalizers/-", value: "x.io/3" },
        ]),
      );
      assert.deepEqual(patched.metadata.finalizers, ["x.io/1", "x.io/2", "x.io/3"]);
      await configMaps.patch("a", mergePatch({ metadata: { finalizers: null } }));
    },
  },
  {
    id: "json-patch-too-long",
    name: "a JSON patch can have at most 10,000 operations",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a", { k: "v" }));
      const operation = { op: "test", path: "/data/k", value: "v" } as const;
      await configMaps.patch("a", jsonPatch(Array.from({ length: 10_000 }, () => operation)));
      await expectFailure(
        configMaps.patch("a", jsonPatch(Array.from({ length: 10_001 }, () => operation))),
        {
          code: 413,
          reason: "RequestEntityTooLarge",
          message:
            "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001",
        },
      );
    },
  },
  {
    id: "UPD6",
    name: "a patch without a patch media type responds with UnsupportedMediaType",
    async run(context) {
      await context.client.resource(ConfigMap, context.namespace).create(configMap("a"));
      await expectRefusal(
        context,
        {
          method: "PATCH",
          path: `/api/v1/namespaces/${context.namespace}/configmaps/a`,
          contentType: "application/json",
          body: { data: { k: "v" } },
        },
        {
          code: 415,
          reason: "UnsupportedMediaType",
          message: "415: Unsupported Media Type",
        },
      );
    },
  },
  {
    id: "UPD12",
    name: "a resourceVersion in a merge patch is a precondition",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.create(configMap("a", { k: "1" }));
      const { resourceVersion } = metadata;
      await configMaps.patch("a", mergePatch({ metadata: { resourceVersion }, data: { k: "2" } }));
      await expectFailure(
        configMaps.patch("a", mergePatch({ metadata: { resourceVersion }, data: { k: "3" } })),
        { code: 409, reason: "Conflict", message: /the object has been modified/ },
      );
      assert.deepEqual((await configMaps.get("a")).data, { k: "2" });
    },
  },
  {
    id: "UPD13",
    name: "a patch other than apply does not create an object",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      for (const patch of [mergePatch({}), strategicPatch({}), jsonPatch([])]) {
        await expectFailure(configMaps.patch("nothing", patch), {
          code: 404,
          reason: "NotFound",
          message: 'configmaps "nothing" not found',
        });
      }
    },
  },
  {
    id: "UPD15",
    name: "the server ignores If-Match",
    async run(context) {
      await context.client.resource(ConfigMap, context.namespace).create(configMap("a"));
      const { status } = await rawRequest(context, {
        method: "PATCH",
        path: `/api/v1/namespaces/${context.namespace}/configmaps/a`,
        contentType: "application/merge-patch+json",
        headers: { "if-match": "1" },
        body: { data: { k: "v" } },
      });
      assert.equal(status, 200);
    },
  },
  {
    id: "patch-no-change",
    name: "a patch that changes nothing keeps the resourceVersion",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.create(configMap("a", { k: "v" }));
      for (const patch of [
        mergePatch({ data: { k: "v" } }),
        strategicPatch({ data: { k: "v" } }),
        jsonPatch([]),
      ]) {
        const patched = await configMaps.patch("a", patch);
        assert.equal(patched.metadata.resourceVersion, metadata.resourceVersion);
      }
    },
  },
  {
    id: "patch-wrong-type",
    name: "a patch whose result does not fit the type is rejected",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a", { k: "v" }));
      const wrong = jsonPatch([{ op: "replace", path: "/data/k", value: 1 }]);
      await expectFailure(configMaps.patch("a", wrong), { code: 422, reason: "Invalid" });
      assert.deepEqual((await configMaps.get("a")).data, { k: "v" });
    },
  },
  {
    id: "patch-bad-json",
    name: "a patch that is not JSON responds with BadRequest",
    async run(context) {
      await context.client.resource(ConfigMap, context.namespace).create(configMap("a"));
      const path = `/api/v1/namespaces/${context.namespace}/configmaps/a`;
      for (const contentType of ["application/merge-patch+json", "application/json-patch+json"]) {
        await expectRefusal(
          context,
          { method: "PATCH", path, contentType, body: '{"data":' },
          { code: 400, reason: "BadRequest" },
        );
      }
    },
  },
  {
    id: "patch-invalid-result",
    name: "the error of a patch with an invalid result names the field",
    async run({ client, namespace }) {
      const pods = client.resource(Pod, namespace);
      await pods.create(pod("a"));
      const patch = mergePatch({ metadata: { labels: { k: "not valid!" } } });
      const { causes } = await expectFailure(pods.patch("a", patch), {
        code: 422,
        reason: "Invalid",
      });
      assert.deepEqual(
        causes.map(({ field }) => field),
        ["metadata.labels"],
      );
    },
  },
];
