import assert from "node:assert/strict";
import { ConfigMap } from "@typekube/api/core/v1";
import { isConflict, isNotFound, KubeError } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";
import { configMap } from "../support/objects.js";

const pathOf = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;

/** Cases for requests that the typed methods do not offer. */
export const rawRequests: readonly ConformanceCase[] = [
  {
    id: "raw-write-and-read",
    name: "typed reads return raw writes, and raw reads return typed writes",
    async run({ client, namespace, signal }) {
      const created = await client.raw({
        method: "POST",
        path: pathOf(namespace),
        query: { fieldManager: "by-hand" },
        body: { ...configMap("a", { k: "v" }), kind: "ConfigMap", apiVersion: "v1" },
        signal,
      });
      assert.equal(created.status, 201);
      const { metadata, data } = await client.resource(ConfigMap, namespace).get("a");
      assert.deepEqual(data, { k: "v" });
      assert.equal(metadata.managedFields?.[0]?.manager, "by-hand");
      const path = `${pathOf(namespace)}/a`;
      const read = (await (await client.raw({ path, signal })).object()) as typeof metadata;
      assert.deepEqual((read as { data?: unknown }).data, { k: "v" });
      const yaml = await client.raw({ path, headers: { accept: "application/yaml" }, signal });
      assert.match(yaml.headers["content-type"] ?? "", /^application\/yaml/);
      assert.match(await yaml.text(), /^apiVersion: v1\n/);
    },
  },
  {
    id: "raw-errors",
    name: "a raw request fails with the same error as a typed one",
    async run({ client, namespace, signal }) {
      const missing = client.raw({ path: `${pathOf(namespace)}/nothing`, signal });
      await assert.rejects(missing, (error) => {
        assert.ok(isNotFound(error));
        assert.equal(error.status?.details?.name, "nothing");
        assert.deepEqual(error.request?.path, `${pathOf(namespace)}/nothing`);
        return true;
      });
      const stale = configMap("a");
      await client.resource(ConfigMap, namespace).create(stale);
      const update = client.raw({
        method: "PUT",
        path: `${pathOf(namespace)}/a`,
        body: { ...stale, metadata: { name: "a", resourceVersion: "1" } },
        signal,
      });
      await assert.rejects(update, isConflict);
    },
  },
  {
    id: "raw-stream",
    name: "a raw response can be streamed and ends when the reader stops",
    async run({ client, namespace, signal }) {
      await client.resource(ConfigMap, namespace).create(configMap("a"));
      const query = { watch: true };
      const watch = await client.raw({ path: pathOf(namespace), query, mode: "stream", signal });
      for await (const chunk of watch.body) {
        const [line = ""] = new TextDecoder().decode(chunk).split("\n");
        const event = JSON.parse(line) as { type: string; object: ConfigMap };
        assert.deepEqual([event.type, event.object.metadata?.name], ["ADDED", "a"]);
        return;
      }
      assert.fail("the watch said nothing");
    },
  },
  {
    id: "raw-elsewhere",
    name: "a path that leads outside of the server is rejected before sending",
    async run({ client }) {
      for (const path of [
        "https://example.com/",
        "//example.com/",
        "/api/../version",
        "/api/%2e%2e/x",
      ]) {
        await assert.rejects(
          client.raw({ path }),
          (error) => error instanceof KubeError && error.code === "InvalidArgument",
        );
      }
    },
  },
];
