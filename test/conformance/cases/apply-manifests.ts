import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, Namespace } from "@typekube/api/core/v1";
import { isNotFound, KubeError } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";
import { deployment } from "../support/objects.js";
import { widgetsIn } from "../support/widgets.js";

const options = { fieldManager: "m1" };

/** Objects of any kind, applied by what they say of themselves. */
export const applyManifests: readonly ConformanceCase[] = [
  {
    id: "apply-manifest",
    name: "the kind of a manifest decides where it goes",
    async run({ client, namespace }) {
      const { spec } = deployment("a");
      const metadata = { name: "a", namespace };
      const manifest = { apiVersion: "apps/v1", kind: "Deployment", metadata, spec } as const;
      const applied = await client.apply(manifest, options);
      assert.deepEqual(await client.resource(Deployment, namespace).get("a"), applied);
    },
  },
  {
    id: "apply-all-yaml",
    name: "YAML of several documents and scopes is applied in order, twice without a change",
    async run({ client, namespace }) {
      const yaml = `
apiVersion: v1
kind: Namespace
metadata: { name: ${namespace}-more, labels: { team: web } }
---
# an empty document counts for nothing
---
apiVersion: v1
kind: ConfigMap
metadata: { name: a, namespace: ${namespace}-more }
data: { text: "yes", number: "010" }
---
apiVersion: conformance.typekube.dev/v1
kind: Widget
metadata: { name: a, namespace: ${namespace}-more }
spec: { size: 3 }
`;
      const first = await client.applyAll(yaml, options);
      assert.deepEqual(
        first.map(({ index, object }) => `${index} ${object.kind}`),
        ["0 Namespace", "1 ConfigMap", "2 Widget"],
      );
      const there = `${namespace}-more`;
      await client.resource(Namespace).get(there);
      const { data } = await client.resource(ConfigMap, there).get("a");
      assert.deepEqual(data, { text: "yes", number: "010" });
      assert.deepEqual((await widgetsIn(client, there).get("a"))["spec"], { size: 3 });
      const second = await client.applyAll(yaml, options);
      assert.deepEqual(second, first);
    },
  },
  {
    id: "CHK14",
    name: "a document of kind List counts as its items",
    async run({ client, namespace }) {
      const item = (name: string) => ({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name, namespace },
      });
      const list = {
        apiVersion: "v1",
        kind: "List",
        metadata: { resourceVersion: "", selfLink: "" },
        items: [item("a"), item("b")],
      };
      const applied = await client.applyAll(JSON.stringify(list), options);
      assert.deepEqual(
        applied.map(({ object }) => object.metadata.name),
        ["a", "b"],
      );
    },
  },
  {
    id: "GRP30",
    name: "a document that is refused keeps the others from nothing and is named",
    async run({ client, namespace }) {
      const item = (name: string) => ({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name, namespace },
      });
      const error = await client
        .applyAll([item("a"), item("Not_Valid"), item("c")], options)
        .then(undefined, (caught: unknown) => caught);
      assert.ok(error instanceof KubeError);
      assert.equal(error.code, "Invalid");
      assert.match(error.message, /manifest 1 \(ConfigMap "Not_Valid"\)/);
      const configMaps = client.resource(ConfigMap, namespace);
      assert.ok(await configMaps.find("a"));
      assert.ok(await configMaps.find("c"));
    },
  },
  {
    id: "GRP32",
    name: "several failures are all in the cause",
    async run({ client, namespace }) {
      const bad = (kind: string) => ({
        apiVersion: "v1",
        kind,
        metadata: { name: "a", namespace },
      });
      const error = await client
        .applyAll([bad("Nothing"), bad("ConfigMap"), bad("Nope")], options)
        .then(undefined, (caught: unknown) => caught);
      assert.ok(isNotFound(error));
      assert.ok(error.cause instanceof AggregateError);
      assert.equal(error.cause.errors.length, 2);
    },
  },
  {
    id: "apply-default-namespace",
    name: "a manifest without a namespace goes to the client's",
    async run({ client, namespace }) {
      const name = `without-namespace-${namespace}`;
      const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name } } as const;
      const { metadata } = await client.apply(manifest, options);
      assert.equal(metadata.namespace, client.namespace);
    },
  },
];
