import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { Pod } from "@typekube/api/core/v1";
import { mergePatch } from "@typekube/client";
import type { ConformanceCase } from "../conformance-case.js";
import { deployment, pod } from "../support/objects.js";
import { expectRefusal } from "../support/raw-request.js";
import { readObjects, readUntil } from "../support/read-watch.js";
import { widgetsIn } from "../support/widgets.js";

const encodings = ["json", "protobuf", "cbor", "yaml"] as const;

/** Returns the PartialObjectMetadata of an object. */
function viewOf<M>({ metadata }: { readonly metadata: M }) {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
}

/** Cases for requests of metadata only. */
export const encodingsMetadata: readonly ConformanceCase[] = [
  ...encodings.map(
    (encoding): ConformanceCase => ({
      id: `ALT21-${encoding}`,
      name: `the metadata of pods in ${encoding}: get, list and watch`,
      async run({ client, namespace, signal }) {
        const pods = client.resource(Pod, namespace);
        const metadata = pods.metadata();
        const { resourceVersion } = (await pods.list()).metadata;
        const created = await pods.create(pod("a", { app: "a" }));
        assert.deepEqual(await metadata.get("a", { encoding }), viewOf(created));
        const list = await metadata.list({ encoding });
        assert.deepEqual(
          [list.kind, list.apiVersion],
          ["PartialObjectMetadataList", "meta.k8s.io/v1"],
        );
        assert.deepEqual(list.items, [viewOf(created)]);
        const [event] = await readObjects(metadata.watch({ encoding, resourceVersion, signal }), 1);
        assert.deepEqual(event, { type: "ADDED", object: viewOf(created) });
      },
    }),
  ),
  ...encodings.map(
    (encoding): ConformanceCase => ({
      id: `ALT26-${encoding}`,
      name: `the metadata of a custom resource in ${encoding}`,
      async run({ client, namespace }) {
        const widgets = widgetsIn(client, namespace);
        const created = await widgets.create({ metadata: { name: "a" }, spec: { size: 1 } });
        const metadata = widgets.metadata();
        assert.deepEqual(await metadata.get("a", { encoding }), viewOf(created));
        assert.deepEqual((await metadata.list({ encoding })).items, [viewOf(created)]);
      },
    }),
  ),
  {
    id: "ALT21-bookmark",
    name: "a streaming list of metadata ends with a bookmark of kind PartialObjectMetadata",
    async run({ client, namespace, signal }) {
      await client.resource(Deployment, namespace).create(deployment("a"));
      const present = { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" } as const;
      for (const encoding of encodings) {
        const events = await readUntil(
          client
            .resource(Deployment, namespace)
            .metadata()
            .watch({ ...present, encoding, signal }),
          ({ type }) => type === "BOOKMARK",
        );
        assert.deepEqual(
          events.map(({ type, object }) => [type, object.kind]),
          [
            ["ADDED", "PartialObjectMetadata"],
            ["BOOKMARK", "PartialObjectMetadata"],
          ],
          encoding,
        );
      }
    },
  },
  {
    id: "metadata-patch-and-delete",
    name: "a patch and a delete can return metadata",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      await deployments.create(deployment("a"));
      const metadata = deployments.metadata();
      const labels = { tier: "gold" };
      const finalizers = ["x.io/hold"];
      const patched = await metadata.patch("a", mergePatch({ metadata: { labels, finalizers } }));
      assert.equal(patched.kind, "PartialObjectMetadata");
      assert.equal(patched.metadata.labels?.["tier"], "gold");
      const held = await metadata.delete("a");
      assert.equal(held.type, "terminating");
      assert.equal(held.object?.kind, "PartialObjectMetadata");
      await metadata.patch("a", mergePatch({ metadata: { finalizers: null } }));
      assert.equal(await metadata.find("a"), undefined);
    },
  },
  {
    id: "ALT23",
    name: "a list requested as PartialObjectMetadata responds with NotAcceptable",
    async run(context) {
      const view = "as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
      await expectRefusal(
        context,
        {
          path: `/api/v1/namespaces/${context.namespace}/configmaps`,
          accept: `application/json;${view}, application/json;q=0.9`,
        },
        { code: 406, reason: "NotAcceptable" },
      );
    },
  },
];
