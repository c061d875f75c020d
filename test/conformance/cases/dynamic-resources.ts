import assert from "node:assert/strict";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import { Deployment } from "@typekube/api/apps/v1";
import { mergePatch } from "@typekube/client";
import { isNotFound } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { deployment, namesOf } from "../support/objects.js";
import { rawRequest } from "../support/raw-request.js";
import { definitionOf, install, widgetsIn } from "../support/widgets.js";

/** Cases for kinds found by discovery. */
export const dynamicResources: readonly ConformanceCase[] = [
  {
    id: "dynamic-built-in",
    name: "a built-in kind behaves the same by apiVersion and kind as by its descriptor",
    async run({ client, namespace }) {
      const reference = { apiVersion: "apps/v1", kind: "Deployment" } as const;
      const created = await client.resource(reference, namespace).create(deployment("a"));
      assert.deepEqual(await client.resource(Deployment, namespace).get("a"), created);
    },
  },
  {
    id: "GRP2",
    name: "a kind that is not served fails with NotFound, which names kind and apiVersion",
    async run({ client, namespace }) {
      const unknown = client.resource(
        { apiVersion: "apps/v1alpha9", kind: "Deployment" },
        namespace,
      );
      const error = await unknown.list().then(undefined, (caught: unknown) => caught);
      assert.ok(isNotFound(error));
      assert.match(error.message, /does not serve Deployment in apps\/v1alpha9/);
    },
  },
  {
    id: "custom-round-trip",
    name: "a custom resource keeps every value that its schema allows",
    async run({ client, namespace }) {
      const spec = {
        text: "ä🚀",
        list: [1, "two", null, { three: [] }],
        nested: { empty: {}, no: false, zero: 0, float: 1.5 },
        big: 9007199254740993n,
      };
      const widgets = widgetsIn(client, namespace);
      await widgets.create({ metadata: { name: "a" }, spec });
      const read = await widgets.get("a");
      assert.deepEqual(read["spec"], spec);
      assert.equal(read.metadata.generation, 1);
      const written = await widgets.update(read);
      assert.equal(written.metadata.resourceVersion, read.metadata.resourceVersion);
    },
  },
  {
    id: "UPD2-custom",
    name: "an update of a custom resource without a resourceVersion is rejected",
    async run({ client, namespace }) {
      const widgets = widgetsIn(client, namespace);
      await widgets.create({ metadata: { name: "a" }, spec: { size: 1 } });
      const blind = widgets.update({ metadata: { name: "a" }, spec: { size: 2 } });
      const { causes } = await expectFailure(blind, {
        code: 422,
        reason: "Invalid",
        message: /metadata\.resourceVersion: Invalid value: 0: must be specified for an update$/,
      });
      assert.deepEqual(
        causes.map(({ field }) => field),
        ["metadata.resourceVersion"],
      );
    },
  },
  {
    id: "ALT15",
    name: "a custom resource requested as protobuf or JSON is returned as JSON",
    async run(context) {
      const { client, namespace } = context;
      await widgetsIn(client, namespace).create({ metadata: { name: "a" } });
      const { headers } = await rawRequest(context, {
        path: `/apis/conformance.typekube.dev/v1/namespaces/${namespace}/widgets`,
        accept: "application/vnd.kubernetes.protobuf, application/json",
      });
      assert.match(headers["content-type"] ?? "", /^application\/json/);
      const items = await widgetsIn(client, namespace).list({ encoding: "protobuf" });
      assert.deepEqual(namesOf(items.items), ["a"]);
    },
  },
  {
    id: "generation-custom",
    name: "changes of the spec increment the generation of a custom resource",
    async run({ client, namespace }) {
      const widgets = widgetsIn(client, namespace);
      await widgets.create({ metadata: { name: "a" }, spec: { size: 1 } });
      const labelled = await widgets.patch("a", mergePatch({ metadata: { labels: { l: "x" } } }));
      assert.equal(labelled.metadata.generation, 1);
      const changed = await widgets.patch("a", mergePatch({ spec: { size: 2 } }));
      assert.equal(changed.metadata.generation, 2);
    },
  },
  {
    id: "crd-lifecycle",
    name: "a definition adds a kind, an open client discovers it, and deleting the definition removes it",
    needs: ["crd"],
    async run({ client, namespace, signal }) {
      const group = `${namespace}.typekube.dev`;
      const names = { kind: "Gadget", plural: "gadgets", singular: "gadget", version: "v1" };
      const gadgets = client.resource({ apiVersion: `${group}/v1`, kind: "Gadget" }, namespace);
      await assert.rejects(gadgets.list(), isNotFound);
      await install(client, definitionOf({ group, ...names }), signal);
      await gadgets.create({ metadata: { name: "a" }, spec: { size: 1 } });
      assert.deepEqual(namesOf((await gadgets.list()).items), ["a"]);

      const definitions = client.resource(CustomResourceDefinition);
      const name = `gadgets.${group}`;
      const { metadata } = await definitions.get(name);
      await definitions.delete(name);
      const { resourceVersion } = metadata;
      const fieldSelector = { "metadata.name": name };
      for await (const { type } of definitions.watch({ resourceVersion, fieldSelector, signal })) {
        if (type === "DELETED") {
          break;
        }
      }
    },
  },
  {
    id: "crd-validation",
    name: "the schema of a definition rejects an object with one cause per field",
    needs: ["crd"],
    async run({ client, namespace, signal }) {
      const group = `${namespace}.typekube.dev`;
      const definition = definitionOf({
        group,
        kind: "Gauge",
        plural: "gauges",
        singular: "gauge",
        version: "v1",
      });
      const schema = definition.spec.versions[0]?.schema?.openAPIV3Schema;
      Object.assign(schema ?? {}, {
        required: ["spec"],
        properties: {
          spec: {
            type: "object",
            required: ["unit"],
            properties: {
              unit: { type: "string", enum: ["bar", "psi"] },
              value: { type: "integer", minimum: 0, default: 7 },
            },
          },
        },
      });
      await install(client, definition, signal);
      const gauges = client.resource({ apiVersion: `${group}/v1`, kind: "Gauge" }, namespace);
      const bad = gauges.create({ metadata: { name: "a" }, spec: { unit: "inch", value: -1 } });
      const { causes } = await expectFailure(bad, { code: 422, reason: "Invalid" });
      assert.deepEqual(causes.map(({ field, reason }) => [field, reason]).sort(), [
        ["spec.unit", "FieldValueNotSupported"],
        ["spec.value", "FieldValueInvalid"],
      ]);
      const good = await gauges.create({
        metadata: { name: "b" },
        spec: { unit: "bar", unknown: 1 },
      });
      assert.deepEqual(good["spec"], { unit: "bar", value: 7 });
    },
  },
];
