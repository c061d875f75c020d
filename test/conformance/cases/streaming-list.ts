import assert from "node:assert/strict";
import { ConfigMap, Pod } from "@typekube/api/core/v1";
import type { WatchEvent, WatchOptions } from "@typekube/client";
import { endsInitialEvents } from "@typekube/client/internal";
import { isTooLargeResourceVersion } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";
import { collect } from "../support/collect.js";
import { configMap, createConfigMaps, pod } from "../support/objects.js";
import { rawRequest } from "../support/raw-request.js";
import { readUntil } from "../support/read-watch.js";
import { widgetsIn } from "../support/widgets.js";

const streamed = {
  sendInitialEvents: true,
  resourceVersionMatch: "NotOlderThan",
} as const satisfies WatchOptions;

function isEnd(event: WatchEvent): boolean {
  return event.type === "BOOKMARK" && endsInitialEvents(event);
}

function types(events: readonly WatchEvent[]): string[] {
  return events.map((event) => (isEnd(event) ? "END" : event.type));
}

/** Returns the resourceVersion of the bookmark that ends the initial events. */
function endVersion(events: readonly WatchEvent[]): bigint {
  return BigInt(events.at(-1)?.object.metadata.resourceVersion ?? "0");
}

/** Cases for streaming lists. */
export const streamingList: readonly ConformanceCase[] = [
  {
    id: "WAT9",
    name: "a streaming list sends the initial events, then the end bookmark, then changes",
    async run({ client, namespace, signal }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await createConfigMaps(client, namespace, 3);
      const seen: string[] = [];
      for await (const event of configMaps.watch({ ...streamed, signal })) {
        if (isEnd(event)) {
          seen.push("END");
          await configMaps.create(configMap("later"));
        } else if (event.type !== "BOOKMARK") {
          seen.push(`${event.type} ${event.object.metadata.name}`);
        }
        if (seen.length === 5) {
          break;
        }
      }
      assert.deepEqual(seen.slice(0, 3).sort(), ["ADDED cm-00", "ADDED cm-01", "ADDED cm-02"]);
      assert.deepEqual(seen.slice(3), ["END", "ADDED later"]);
    },
  },
  {
    id: "WAT9-empty",
    name: "a streaming list of an empty collection is a single bookmark",
    async run({ client, namespace, signal }) {
      const watching = client.resource(ConfigMap, namespace).watch({ ...streamed, signal });
      assert.deepEqual(types(await readUntil(watching, isEnd)), ["END"]);
    },
  },
  {
    id: "WAT12",
    name: "a streaming list without a resourceVersion is at least as new as the request",
    async run({ client, namespace, signal }) {
      const configMaps = client.resource(ConfigMap, namespace);
      for (let round = 0; round < 5; round++) {
        const { metadata } = await configMaps.create(configMap(`a-${round}`));
        const events = await readUntil(configMaps.watch({ ...streamed, signal }), isEnd);
        assert.equal(events.length, round + 2);
        assert.ok(endVersion(events) >= BigInt(metadata.resourceVersion));
      }
    },
  },
  {
    id: "WAT13",
    name: "a streaming list is at least at its resourceVersion",
    async run({ client, namespace, signal }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a"));
      const { metadata } = await configMaps.create(configMap("b"));
      const { resourceVersion } = metadata;
      const watching = configMaps.watch({ ...streamed, resourceVersion, signal });
      const events = await readUntil(watching, isEnd);
      assert.deepEqual(types(events), ["ADDED", "ADDED", "END"]);
      assert.ok(endVersion(events) >= BigInt(resourceVersion));
    },
  },
  {
    id: "WAT13-any",
    name: "a streaming list at resourceVersion 0 may return any state, and also sends the end bookmark",
    async run({ client, namespace, signal }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a"));
      const watching = configMaps.watch({ ...streamed, resourceVersion: "0", signal });
      assert.equal(types(await readUntil(watching, isEnd)).at(-1), "END");
    },
  },
  {
    id: "WAT15",
    name: "the end bookmark has the kind, a resourceVersion, the annotation and nothing else",
    async run({ client, namespace, signal }) {
      const pods = client.resource(Pod, namespace);
      await pods.create(pod("a"));
      for (const encoding of ["json", "protobuf"] as const) {
        const events = await readUntil(pods.watch({ ...streamed, encoding, signal }), isEnd);
        const { object } = events.at(-1) ?? {};
        assert.equal(object?.kind, "Pod");
        assert.equal(object.apiVersion, "v1");
        const { resourceVersion, annotations } = object.metadata;
        assert.match(resourceVersion, /^[1-9]\d*$/);
        assert.deepEqual({ ...annotations }, { "k8s.io/initial-events-end": "true" });
      }
    },
  },
  {
    id: "streaming-list-selector",
    name: "a streaming list contains only objects that match the selector",
    async run({ client, namespace, signal }) {
      await createConfigMaps(client, namespace, 4, (index) => ({ even: String(index % 2 === 0) }));
      const watching = client
        .resource(ConfigMap, namespace)
        .watch({ ...streamed, labelSelector: "even=true", signal });
      const events = await readUntil(watching, isEnd);
      assert.deepEqual(types(events), ["ADDED", "ADDED", "END"]);
    },
  },
  {
    id: "streaming-list-custom",
    name: "custom resources are streamed the same way",
    async run({ client, namespace, signal }) {
      const widgets = widgetsIn(client, namespace);
      await widgets.create({ metadata: { name: "a" } });
      const events = await readUntil(widgets.watch({ ...streamed, signal }), isEnd);
      assert.deepEqual(types(events), ["ADDED", "END"]);
    },
  },
  {
    id: "streaming-list-expired",
    name: "a streaming list at a compacted resourceVersion returns a newer state",
    async run({ client, namespace, compact, signal }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.create(configMap("a"));
      await configMaps.create(configMap("b"));
      await compact();
      const { resourceVersion } = metadata;
      const watching = configMaps.watch({ ...streamed, resourceVersion, signal });
      assert.deepEqual(types(await readUntil(watching, isEnd)), ["ADDED", "ADDED", "END"]);
    },
  },
  {
    id: "WAT17",
    name: "a streaming list at a future resourceVersion sends an ERROR event with status 504",
    async run({ client, namespace, signal, whileTimePasses }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const resourceVersion = "999999999";
      const watching = collect(configMaps.watch({ ...streamed, resourceVersion, signal }));
      await assert.rejects(whileTimePasses(watching), isTooLargeResourceVersion);
    },
  },
  {
    id: "bookmark-empty-object",
    name: "a bookmark is an empty object of its kind as Go encodes it",
    async run(context) {
      const emptyOf = async (resource: string) => {
        const query =
          "watch=1&timeoutSeconds=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
        const path = `${resource}?${query}&fieldSelector=metadata.name%3Dnobody`;
        const response = await context.whileTimePasses(rawRequest(context, { path }));
        const [first = ""] = response.text.split("\n");
        const { type, object } = JSON.parse(first);
        assert.equal(type, "BOOKMARK");
        const { kind: _, apiVersion: __, metadata: ___, ...rest } = object;
        return rest;
      };
      assert.deepEqual(await emptyOf("/api/v1/secrets"), {});
      assert.deepEqual(await emptyOf("/api/v1/pods"), { spec: { containers: null }, status: {} });
      assert.deepEqual(await emptyOf("/api/v1/services"), {
        spec: {},
        status: { loadBalancer: {} },
      });
      assert.deepEqual(await emptyOf("/apis/policy/v1/poddisruptionbudgets"), {
        spec: {},
        status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
      });
      assert.deepEqual(await emptyOf("/apis/apiextensions.k8s.io/v1/customresourcedefinitions"), {
        spec: { group: "", names: { plural: "", kind: "" }, scope: "", versions: null },
        status: {
          conditions: null,
          acceptedNames: { plural: "", kind: "" },
          storedVersions: null,
        },
      });
    },
  },
];
