import assert from "node:assert/strict";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import { mergePatch } from "@typekube/client";
import type { ConformanceCase } from "../conformance-case.js";
import { customDefinition, customResource, version } from "../support/custom-resources.js";
import { rawRequest } from "../support/raw-request.js";

const string = { type: "string" };
const schema = (properties: object) => ({
  type: "object",
  properties: { spec: { type: "object", properties } },
});

/** A kind with four versions and no conversion: each version shows the fields of its schema. */
const tanks = customDefinition("Tank", [
  version(schema({ both: string, first: string, one: { type: "string", default: "1" } })),
  version(schema({ both: string, second: string, two: { type: "string", default: "2" } }), {
    name: "v2",
    storage: false,
  }),
  version(schema({ both: string }), { name: "v1beta1", storage: false, deprecated: true }),
  version(schema({ both: string }), {
    name: "v1alpha1",
    storage: false,
    deprecated: true,
    deprecationWarning: "leave it",
  }),
]);

/** Cases for versions of a custom resource. */
export const customResourceVersions: readonly ConformanceCase[] = [
  {
    id: "ES15-none",
    name: "custom: without a converter every version returns the same object, pruned by its own schema",
    needs: ["crd"],
    async run(context) {
      const first = await customResource(context, tanks);
      const second = await customResource(context, tanks, "v2");
      const created = await second.create({
        metadata: { name: "a" },
        spec: { both: "b", second: "s" },
      });
      assert.equal(created.apiVersion, "custom.typekube.dev/v2");
      const old = await first.get("a");
      assert.equal(old.apiVersion, "custom.typekube.dev/v1");
      assert.deepEqual(old["spec"], { both: "b", one: "1" });
      assert.equal(old.metadata.uid, created.metadata.uid);
      assert.equal(old.metadata.resourceVersion, created.metadata.resourceVersion);
      const listed = await second.list();
      assert.deepEqual(
        listed.items.map((item) => item.apiVersion),
        ["custom.typekube.dev/v2"],
      );
    },
  },
  {
    id: "ES15-watch",
    name: "custom: a watch returns objects in its own version, whatever version wrote them",
    needs: ["crd"],
    async run(context) {
      const { signal } = context;
      const first = await customResource(context, tanks);
      const second = await customResource(context, tanks, "v2");
      const { metadata } = await second.list();
      await first.create({ metadata: { name: "a" }, spec: { both: "x", first: "f" } });
      await first.patch("a", mergePatch({ spec: { both: "y" } }));
      const seen: unknown[] = [];
      const { resourceVersion } = metadata;
      for await (const { type, object } of second.watch({ resourceVersion, signal })) {
        seen.push([type, object.apiVersion, (object as Record<string, unknown>)["spec"]]);
        if (seen.length === 2) {
          break;
        }
      }
      const apiVersion = "custom.typekube.dev/v2";
      assert.deepEqual(seen, [
        ["ADDED", apiVersion, { both: "x" }],
        ["MODIFIED", apiVersion, { both: "y" }],
      ]);
    },
  },
  {
    id: "ES15-update-other-version",
    name: "custom: a patch through another version uses that version's schema and increments the generation",
    needs: ["crd"],
    async run(context) {
      const first = await customResource(context, tanks);
      const second = await customResource(context, tanks, "v2");
      await first.create({ metadata: { name: "a" }, spec: { both: "x" } });
      const patched = await second.patch("a", mergePatch({ spec: { both: "y" } }));
      // Fields that the storage version does not have are missing in the response already.
      assert.deepEqual(patched["spec"], { both: "y" });
      assert.equal(patched.metadata.generation, 2);
      const read = await first.get("a");
      assert.deepEqual(read["spec"], { both: "y", one: "1" });
      await second.delete("a");
      await assert.rejects(first.get("a"));
    },
  },
  {
    id: "ES15-deprecated",
    name: "custom: a request to a deprecated version returns a warning, with the definition's text if it has one",
    needs: ["crd"],
    async run(context) {
      await customResource(context, tanks);
      const warningsOf = async (name: string) => {
        const path = `/apis/custom.typekube.dev/${name}/namespaces/${context.namespace}/tanks`;
        return (await rawRequest(context, { path })).headers["warning"];
      };
      assert.equal(await warningsOf("v1"), undefined);
      assert.equal(
        await warningsOf("v1beta1"),
        '299 - "custom.typekube.dev/v1beta1 Tank is deprecated; use custom.typekube.dev/v2 Tank"',
      );
      assert.equal(await warningsOf("v1alpha1"), '299 - "leave it"');
    },
  },
  {
    id: "DEP7-custom",
    name: "custom: versions are listed by stability, then highest first",
    needs: ["crd"],
    async run(context) {
      await customResource(context, tanks);
      const response = await rawRequest(context, { path: "/apis/custom.typekube.dev" });
      const { versions } = response.json<{ versions: { version: string }[] }>();
      assert.deepEqual(
        versions.map((one) => one.version).filter((one) => one !== "v1beta2"),
        ["v2", "v1", "v1beta1", "v1alpha1"],
      );
      const definition = await context.client
        .resource(CustomResourceDefinition)
        .get("tanks.custom.typekube.dev");
      assert.deepEqual(definition.status?.storedVersions, ["v1"]);
    },
  },
];
