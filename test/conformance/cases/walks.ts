import assert from "node:assert/strict";
import { ConfigMap } from "@typekube/api/core/v1";
import type { ItemsProgress } from "@typekube/client";
import { isExpired, isTooLargeResourceVersion, KubeError } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";
import { collect } from "../support/collect.js";
import { configMap, createConfigMaps, namesOf, numbered } from "../support/objects.js";
import { readObjects, typeAndName } from "../support/read-watch.js";

/** Cases for iterating over collections, and for the state that the pages show. */
export const walks: readonly ConformanceCase[] = [
  {
    id: "CHK6",
    name: "items() reports its progress with the remaining items that the server counts",
    async run({ client, namespace }) {
      await createConfigMaps(client, namespace, 25);
      const received: ItemsProgress[] = [];
      const onProgress = (progress: ItemsProgress) => void received.push(progress);
      const configMaps = client.resource(ConfigMap, namespace);
      await collect(configMaps.items({ pageSize: 10, onProgress }));
      assert.deepEqual(received, [
        { items: 10, remaining: 15 },
        { items: 20, remaining: 5 },
        { items: 25, remaining: 0 },
      ]);
      received.length = 0;
      const fieldSelector = { "metadata.namespace": namespace };
      await collect(configMaps.items({ pageSize: 20, onProgress, fieldSelector }));
      assert.deepEqual(received, [
        { items: 20, remaining: undefined },
        { items: 25, remaining: 0 },
      ]);
    },
  },
  {
    id: "P9",
    name: "items() with prefetch yields the same items in the same order",
    async run({ client, namespace }) {
      await createConfigMaps(client, namespace, 25);
      const names = Array.from({ length: 25 }, (_, index) => numbered(index));
      const configMaps = client.resource(ConfigMap, namespace);
      for (const prefetch of [0, 1, 10]) {
        const items = await collect(configMaps.items({ pageSize: 4, prefetch }));
        assert.deepEqual(namesOf(items), names);
      }
      for await (const { metadata } of configMaps.items({ pageSize: 4, prefetch: 2 })) {
        if (metadata.name === numbered(5)) {
          break;
        }
      }
    },
  },
  {
    id: "CHK4-walk",
    name: "a watch from the resourceVersion of items() misses nothing",
    async run({ client, namespace, signal }) {
      await createConfigMaps(client, namespace, 5);
      const configMaps = client.resource(ConfigMap, namespace);
      const walk = configMaps.items({ pageSize: 2 });
      let count = 0;
      for await (const _ of walk) {
        count += 1;
        if (count === 2) {
          await configMaps.create(configMap("cm-99"));
        }
      }
      assert.equal(count, 5);
      const { resourceVersion } = walk;
      const events = await readObjects(configMaps.watch({ resourceVersion, signal }), 1);
      assert.deepEqual(typeAndName(events), ["ADDED cm-99"]);
    },
  },
  {
    id: "RV-intents",
    name: "each consistency option returns the state that it names",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.create(configMap("a"));
      const before = await configMaps.list();
      await configMaps.create(configMap("b"));
      const exact = before.metadata.resourceVersion ?? "";
      const notOlderThan = metadata.resourceVersion;
      const seen = async (options: Parameters<typeof configMaps.list>[0]) =>
        namesOf((await configMaps.list(options)).items);
      assert.deepEqual(await seen({ consistency: "latest" }), ["a", "b"]);
      assert.deepEqual(await seen({ consistency: { exact } }), ["a"]);
      const walk = configMaps.items({ consistency: { exact }, pageSize: 1 });
      assert.deepEqual(namesOf(await collect(walk)), ["a"]);
      assert.equal(walk.resourceVersion, exact);
      const later = await configMaps.list({ consistency: { notOlderThan } });
      assert.ok(later.items.length >= 1);
      assert.ok((await configMaps.list({ consistency: "any" })).items.length <= 2);
      const one = await configMaps.get("a", { consistency: { notOlderThan } });
      assert.equal(one.metadata.uid, metadata.uid);
      assert.equal((await configMaps.get("b", { consistency: "latest" })).metadata.name, "b");
    },
  },
  {
    id: "RV-intents-expired",
    name: "an exact state that the server has compacted fails with Expired",
    async run({ client, namespace, compact }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a"));
      const exact = (await configMaps.list()).metadata.resourceVersion ?? "";
      await configMaps.create(configMap("b"));
      await compact();
      await assert.rejects(configMaps.list({ consistency: { exact } }), isExpired);
    },
  },
  {
    id: "RV-intents-future",
    name: "a state in the future times out",
    async run({ client, namespace, whileTimePasses }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.create(configMap("a"));
      const notOlderThan = String(Number(metadata.resourceVersion) + 1_000_000);
      const list = configMaps.list({ consistency: { notOlderThan } }).then(
        () => undefined,
        (error: unknown) => error,
      );
      const error = await whileTimePasses(list);
      assert.ok(isTooLargeResourceVersion(error));
    },
  },
  {
    id: "bad-input",
    name: "invalid arguments are rejected before sending, with a hint",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const loose = configMaps as unknown as Record<string, (...of: unknown[]) => Promise<unknown>>;
      const refused = async (work: Promise<unknown> | undefined, message: RegExp) => {
        await assert.rejects(work ?? Promise.resolve(), (error) => {
          assert.ok(error instanceof KubeError);
          assert.equal(error.code, "InvalidArgument");
          assert.match(error.message, message);
          return true;
        });
      };
      await refused(configMaps.get("../x"), /name "\.\.\/x" must not contain/);
      await refused(configMaps.delete(".."), /must not be/);
      await refused(configMaps.create({ metadata: {} }), /has no metadata\.name: set it, or/);
      await refused(configMaps.update({ data: {} }), /has no metadata\.name/);
      await refused(loose["create"]?.({ kind: "List", apiVersion: "v1", items: [] }), /got a list/);
      await refused(loose["apply"]?.([configMap("a")]), /expected one ConfigMap, got a list/);
      await assert.rejects(
        client.applyAll([
          { apiVersion: "x.example.com/v1", kind: "Nothing", metadata: { name: "a" } },
        ]),
        /does not serve/,
      );
    },
  },
];
