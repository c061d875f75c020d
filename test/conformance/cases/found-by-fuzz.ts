import assert from "node:assert/strict";
import { Deployment, StatefulSet } from "@typekube/api/apps/v1";
import { codecs, mediaTypes } from "@typekube/core/internal";
import type { ConformanceCase } from "../conformance-case.js";
import { deployment } from "../support/objects.js";
import { expectRefusal, rawRequest } from "../support/raw-request.js";

/** Cases for defects of the embedded server that fuzzed requests have found. */
export const foundByFuzz: readonly ConformanceCase[] = [
  {
    id: "ALT20-templates",
    name: "the claim templates of a StatefulSet have a kind in JSON but not in protobuf",
    async run(context) {
      const { client, namespace } = context;
      const labels = { app: "a" };
      await client.resource(StatefulSet, namespace).create({
        metadata: { name: "a" },
        spec: {
          serviceName: "a",
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: { containers: [{ name: "c", image: "example.com/c:1" }] },
          },
          volumeClaimTemplates: [
            {
              metadata: { name: "data" },
              spec: {
                accessModes: ["ReadWriteOnce"],
                resources: { requests: { storage: "1Gi" } },
              },
            },
          ],
        },
      });
      const path = `/apis/apps/v1/namespaces/${namespace}/statefulsets`;
      const read = async (place: string, accept: string) => {
        const response = await rawRequest(context, { path: `${path}${place}`, accept });
        assert.equal(response.status, 200, response.text);
        return (await codecs.forContentType(accept)?.decode(response.bytes)) as StatefulSet & {
          items: StatefulSet[];
        };
      };
      const kindsOf = ({ spec }: StatefulSet) =>
        spec?.volumeClaimTemplates?.map(({ kind }) => kind);
      assert.deepEqual(kindsOf(await read("/a", mediaTypes.json)), ["PersistentVolumeClaim"]);
      assert.deepEqual(kindsOf(await read("/a", mediaTypes.protobuf)), [undefined]);
      const [item] = (await read("", mediaTypes.protobuf)).items;
      assert.deepEqual(item && kindsOf(item), [undefined]);
    },
  },
  {
    id: "SUB4-unfit",
    name: "a patch that does not fit a Scale is rejected without details",
    async run(context) {
      const { client, namespace } = context;
      await client.resource(Deployment, namespace).create(deployment("a"));
      const patch = (body: unknown) => ({
        method: "PATCH" as const,
        path: `/apis/apps/v1/namespaces/${namespace}/deployments/a/scale`,
        contentType: mediaTypes.jsonPatch,
        body,
      });
      for (const operation of [
        { op: "test", path: "/spec/replicas", value: 99 },
        { op: "remove", path: "/spec/nothing" },
      ]) {
        await expectRefusal(context, patch([operation]), { code: 422, reason: "Invalid" });
      }
      await expectRefusal(context, patch({}), { code: 400, reason: "BadRequest" });
      await expectRefusal(context, patch('[{"op":'), { code: 400, reason: "BadRequest" });
    },
  },
];
