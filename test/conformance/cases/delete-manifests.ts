import assert from "node:assert/strict";
import { ConfigMap, Namespace } from "@typekube/api/core/v1";
import { mergePatch } from "@typekube/client";
import { KubeError } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";

const options = { fieldManager: "m1" };

const configMapIn = (namespace: string, name: string, finalizers?: string[]) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace, finalizers },
});

/** Cases for deleting the objects of manifests. */
export const deleteManifests: readonly ConformanceCase[] = [
  {
    id: "delete-all",
    name: "deleteAll deletes in reverse order; a missing object is not a failure",
    async run({ client, namespace }) {
      const manifests = [configMapIn(namespace, "a"), configMapIn(namespace, "b")];
      await client.applyAll(manifests, options);
      const received: number[] = [];
      const first = await client.deleteAll([...manifests, configMapIn(namespace, "never")], {
        propagationPolicy: "Background",
        onResult: ({ index }) => received.push(index),
      });
      assert.deepEqual(
        first.map(({ name, namespace: home, outcome }) => [name, home, outcome]),
        [
          ["a", namespace, "deleted"],
          ["b", namespace, "deleted"],
          ["never", namespace, "absent"],
        ],
      );
      assert.deepEqual(received, [2, 1, 0]);
      const second = await client.deleteAll(manifests);
      assert.ok(second.every(({ outcome }) => outcome === "absent"));
    },
  },
  {
    id: "GRP31-manifests",
    name: "an object with finalizers is reported as terminating; with goneTimeoutMs deleteAll waits until it is gone",
    async run({ client, namespace, whileTimePasses }) {
      const manifests = [
        configMapIn(namespace, "free"),
        configMapIn(namespace, "held", ["typekube.dev/hold"]),
      ];
      await client.applyAll(manifests, options);
      const states = await client.deleteAll(manifests);
      assert.deepEqual(
        states.map(({ outcome }) => outcome),
        ["deleted", "terminating"],
      );
      const configMaps = client.resource(ConfigMap, namespace);
      const freeing: Promise<unknown>[] = [];
      const gone = client.deleteAll(manifests, {
        goneTimeoutMs: 20_000,
        onResult: ({ outcome }) => {
          if (outcome === "terminating") {
            freeing.push(configMaps.patch("held", mergePatch({ metadata: { finalizers: null } })));
          }
        },
      });
      assert.deepEqual(
        (await whileTimePasses(gone)).map(({ outcome }) => outcome),
        ["absent", "deleted"],
      );
      await Promise.all(freeing);
      assert.equal(await configMaps.find("held"), undefined);
    },
  },
  {
    id: "delete-all-deadline",
    name: "reports an object that still exists at the end of the wait as a failure",
    async run({ client, namespace, whileTimePasses }) {
      const manifests = [configMapIn(namespace, "held", ["typekube.dev/hold"])];
      await client.applyAll(manifests, options);
      const error = await whileTimePasses(
        client.deleteAll(manifests, { goneTimeoutMs: 200 }).then(undefined, (caught) => caught),
      );
      assert.ok(error instanceof KubeError);
      assert.equal(error.code, "DeadlineExceeded");
      assert.match(error.message, /ConfigMap "held".*still exists/);
    },
  },
  {
    id: "delete-all-dry-run",
    name: "DRY1: deleteAll with dryRun deletes nothing, whatever the other options",
    async run({ client, namespace }) {
      const manifests = [configMapIn(namespace, "a")];
      await client.applyAll(manifests, options);
      await client.deleteAll(manifests, {
        dryRun: "All",
        propagationPolicy: "Foreground",
        goneTimeoutMs: 20_000,
      });
      assert.ok(await client.resource(ConfigMap, namespace).find("a"));
    },
  },
  {
    id: "delete-all-namespace",
    name: "deleteAll deletes a namespace after the objects in it",
    async run({ client, namespace }) {
      const home = `${namespace}-leaving`;
      const manifests = [
        { apiVersion: "v1", kind: "Namespace", metadata: { name: home } },
        configMapIn(home, "a"),
      ];
      await client.applyAll(manifests, options);
      const order: string[] = [];
      await client.deleteAll(manifests, { onResult: (one) => order.push(String(one.index)) });
      assert.deepEqual(order, ["1", "0"]);
      const left = await client.resource(Namespace).find(home);
      assert.ok(left === undefined || left.metadata.deletionTimestamp !== undefined);
    },
  },
];
