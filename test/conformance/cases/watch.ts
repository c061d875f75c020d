import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap } from "@typekube/api/core/v1";
import { mergePatch } from "@typekube/client";
import { isExpired } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";
import { collect } from "../support/collect.js";
import { configMap, createConfigMaps, deployment } from "../support/objects.js";
import { expectRefusal, rawRequest } from "../support/raw-request.js";
import { readObjects, typeAndName } from "../support/read-watch.js";
import { widgetsIn } from "../support/widgets.js";

/** Cases for watches. */
export const watch: readonly ConformanceCase[] = [
  {
    id: "WAT1",
    name: "a watch from the resourceVersion of a list misses nothing",
    async run({ client, namespace, signal }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("before"));
      const { metadata } = await configMaps.list();
      await configMaps.create(configMap("a", { k: "1" }));
      await configMaps.patch("a", mergePatch({ data: { k: "2" } }));
      await configMaps.delete("a");
      const { resourceVersion } = metadata;
      const events = await readObjects(configMaps.watch({ resourceVersion, signal }), 3);
      assert.deepEqual(typeAndName(events), ["ADDED a", "MODIFIED a", "DELETED a"]);
      assert.deepEqual(
        events.map(({ object }) => object.data),
        [{ k: "1" }, { k: "2" }, { k: "2" }],
      );
    },
  },
  {
    id: "watch-live",
    name: "an open watch delivers a write immediately",
    async run({ client, namespace, signal }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.create(configMap("first"));
      const events: string[] = [];
      const { resourceVersion } = metadata;
      await configMaps.create(configMap("second"));
      for await (const event of configMaps.watch({ resourceVersion, signal })) {
        if (event.type === "BOOKMARK") {
          continue;
        }
        events.push(`${event.type} ${event.object.metadata.name}`);
        if (events.length === 1) {
          await configMaps.create(configMap("third"));
        } else if (events.length === 2) {
          await configMaps.delete("third");
        } else {
          break;
        }
      }
      assert.deepEqual(events, ["ADDED second", "ADDED third", "DELETED third"]);
    },
  },
  {
    id: "watch-deleted-version",
    name: "a DELETED event has the last state and the resourceVersion of the deletion",
    async run({ client, namespace, signal }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const created = await configMaps.create(configMap("a", { k: "v" }));
      await configMaps.delete("a");
      const { resourceVersion } = created.metadata;
      const [event] = await readObjects(configMaps.watch({ resourceVersion, signal }), 1);
      assert.equal(event?.type, "DELETED");
      assert.deepEqual(event.object.data, { k: "v" });
      assert.ok(BigInt(event.object.metadata.resourceVersion) > BigInt(resourceVersion));
    },
  },
  {
    id: "WAT6",
    name: "a watch follows one object by a field selector",
    async run({ client, namespace, signal }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.create(configMap("a"));
      await configMaps.create(configMap("b"));
      await configMaps.patch("b", mergePatch({ data: { k: "v" } }));
      await configMaps.patch("a", mergePatch({ data: { k: "v" } }));
      const { resourceVersion } = metadata;
      const fieldSelector = "metadata.name=a";
      const events = await readObjects(
        configMaps.watch({ resourceVersion, fieldSelector, signal }),
        1,
      );
      assert.deepEqual(typeAndName(events), ["MODIFIED a"]);
    },
  },
  {
    id: "WAT6-get",
    name: "a get with ?watch returns the object",
    async run(context) {
      await context.client.resource(ConfigMap, context.namespace).create(configMap("a"));
      const path = `/api/v1/namespaces/${context.namespace}/configmaps/a?watch=1`;
      assert.equal((await rawRequest(context, { path })).json()["kind"], "ConfigMap");
    },
  },
  {
    id: "watch-selector-enter-leave",
    name: "an object that starts to match is ADDED, one that stops matching is DELETED",
    async run({ client, namespace, signal }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.create(configMap("a"));
      await configMaps.patch("a", mergePatch({ metadata: { labels: { app: "web" } } }));
      await configMaps.patch("a", mergePatch({ data: { k: "v" } }));
      const gone = await configMaps.patch("a", mergePatch({ metadata: { labels: null } }));
      const { resourceVersion } = metadata;
      const labelSelector = "app=web";
      const events = await readObjects(
        configMaps.watch({ resourceVersion, labelSelector, signal }),
        3,
      );
      assert.deepEqual(typeAndName(events), ["ADDED a", "MODIFIED a", "DELETED a"]);
      const last = events[2]?.object;
      assert.deepEqual(last?.metadata.labels, { app: "web" });
      assert.equal(last?.metadata.resourceVersion, gone.metadata.resourceVersion);
    },
  },
  {
    id: "WAT19",
    name: "a change of the status is MODIFIED like any other",
    async run({ client, namespace, signal }) {
      const deployments = client.resource(Deployment, namespace);
      const { metadata } = await deployments.create(deployment("a"));
      await deployments.status.patch("a", mergePatch({ status: { observedGeneration: 1 } }));
      const { resourceVersion } = metadata;
      const [event] = await readObjects(deployments.watch({ resourceVersion, signal }), 1);
      assert.equal(event?.type, "MODIFIED");
      assert.equal(event.object.status?.observedGeneration, 1);
    },
  },
  {
    id: "RV29",
    name: "a watch without a resourceVersion, or from 0, first sends the existing objects",
    async run({ client, namespace, signal }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await createConfigMaps(client, namespace, 2);
      const unset = await readObjects(configMaps.watch({ signal }), 2);
      assert.deepEqual(typeAndName(unset).sort(), ["ADDED cm-00", "ADDED cm-01"]);
      const any = await readObjects(configMaps.watch({ resourceVersion: "0", signal }), 2);
      assert.deepEqual(typeAndName(any).sort(), ["ADDED cm-00", "ADDED cm-01"]);
    },
  },
  {
    id: "watch-all-namespaces",
    name: "a watch over all namespaces delivers the events of each",
    async run({ client, namespace, signal }) {
      const { metadata } = await client.resource(ConfigMap, namespace).create(configMap("a"));
      await client.resource(ConfigMap, "default").create(configMap(`other-${namespace}`));
      await client.resource(ConfigMap, namespace).delete("a");
      const { resourceVersion } = metadata;
      const everywhere = client.resource(ConfigMap).watch({ resourceVersion, signal });
      assert.deepEqual(typeAndName(await readObjects(everywhere, 2)), [
        `ADDED other-${namespace}`,
        "DELETED a",
      ]);
    },
  },
  {
    id: "watch-custom",
    name: "custom resources are watched the same way",
    async run({ client, namespace, signal }) {
      const widgets = widgetsIn(client, namespace);
      const { metadata } = await widgets.create({ metadata: { name: "a" }, spec: { size: 1 } });
      await widgets.patch("a", mergePatch({ spec: { size: 2 } }));
      await widgets.delete("a");
      const { resourceVersion } = metadata;
      const events = await readObjects(widgets.watch({ resourceVersion, signal }), 2);
      assert.deepEqual(typeAndName(events), ["MODIFIED a", "DELETED a"]);
    },
  },
  {
    id: "watch-timeout",
    name: "the server ends a watch after timeoutSeconds",
    async run({ client, namespace, signal, whileTimePasses }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.create(configMap("a"));
      const { resourceVersion } = metadata;
      const events = collect(configMaps.watch({ resourceVersion, timeoutSeconds: 1, signal }));
      const objects = (await whileTimePasses(events)).filter(({ type }) => type !== "BOOKMARK");
      assert.deepEqual(objects, []);
    },
  },
  {
    id: "WAT8",
    name: "a bookmark other than the end bookmark has only the kind and a resourceVersion",
    async run({ client, namespace, signal, whileTimePasses }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.list();
      await configMaps.create(configMap("a"));
      const elsewhere = client.resource(ConfigMap, "default");
      let unseen = "";
      const bookmarkAfterWrite = async () => {
        const { resourceVersion } = metadata;
        const options = { resourceVersion, timeoutSeconds: 5, signal };
        for await (const event of configMaps.watch(options)) {
          if (event.type === "BOOKMARK") {
            return event.object;
          }
          // The watch does not deliver this change, so a bookmark must report its resourceVersion.
          const created = await elsewhere.create(configMap(`unseen-${namespace}`));
          unseen = created.metadata.resourceVersion;
        }
        return undefined;
      };
      const object = await whileTimePasses(bookmarkAfterWrite());
      assert.equal(object?.kind, "ConfigMap");
      assert.equal(object.apiVersion, "v1");
      assert.equal(object.metadata.annotations, undefined);
      assert.ok(BigInt(object.metadata.resourceVersion) >= BigInt(unseen));
    },
  },
  {
    id: "watch-abort",
    name: "an aborted watch rejects with the reason of the abort",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a"));
      const abort = new AbortController();
      const reason = new Error("enough");
      const watching = async () => {
        for await (const { type } of configMaps.watch({ signal: abort.signal })) {
          abort.abort(reason); // buffered events may still be delivered: the object and a bookmark
          assert.ok(type === "ADDED" || type === "BOOKMARK");
        }
      };
      await assert.rejects(watching(), reason);
    },
  },
  {
    id: "WAT5",
    name: "a watch from a compacted resourceVersion gets an ERROR event with status 410",
    async run(context) {
      const { client, namespace, compact, signal } = context;
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.create(configMap("a"));
      await configMaps.patch("a", mergePatch({ data: { k: "v" } }));
      await compact();
      const { resourceVersion } = metadata;
      const response = await rawRequest(context, {
        path: `/api/v1/namespaces/${namespace}/configmaps?watch=1&resourceVersion=${resourceVersion}&timeoutSeconds=5`,
      });
      assert.equal(response.status, 200);
      const event = response.json<{ type: string; object: Record<string, unknown> }>();
      assert.equal(event.type, "ERROR");
      assert.equal(event.object["code"], 410);
      assert.equal(event.object["reason"], "Expired");
      assert.match(String(event.object["message"]), /^too old resource version: \d+ \(\d+\)$/);
      for (const encoding of ["json", "protobuf"] as const) {
        const watching = configMaps.watch({ resourceVersion, encoding, signal });
        await assert.rejects(collect(watching), isExpired);
      }
    },
  },
  ...(
    [
      ["WAT11-match", "watch=1&resourceVersionMatch=NotOlderThan&resourceVersion=1"],
      ["WAT10", "watch=1&sendInitialEvents=true"],
      ["WAT11-list", "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=1"],
    ] as const
  ).map(
    ([id, query]): ConformanceCase => ({
      id,
      name: `a request with ${query} responds with Invalid`,
      async run(context) {
        const path = `/api/v1/namespaces/${context.namespace}/configmaps?${query}`;
        const { details } = await expectRefusal(
          context,
          { path },
          { code: 422, reason: "Invalid" },
        );
        assert.ok(details?.causes?.every(({ reason }) => reason === "FieldValueForbidden"));
        assert.ok((details?.causes?.length ?? 0) > 0);
      },
    }),
  ),
  ...(["watch=0", "watch=false"] as const).map(
    (query): ConformanceCase => ({
      id: `GRP18-${query.replace("=", "-")}`,
      name: `?${query} is a list`,
      async run(context) {
        const path = `/api/v1/namespaces/${context.namespace}/configmaps?${query}`;
        assert.equal((await rawRequest(context, { path })).json()["kind"], "ConfigMapList");
      },
    }),
  ),
];
