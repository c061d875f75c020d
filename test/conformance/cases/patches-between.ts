import assert from "node:assert/strict";
import { ConfigMap, PodTemplate } from "@typekube/api/core/v1";
import { jsonPatch, mergePatch, type Patch, strategicPatch } from "@typekube/client";
import { KubeError } from "@typekube/core";
import { seededRandom } from "@typekube/test-support/seeded-random";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { configMap } from "../support/objects.js";
import { randomPodTemplate } from "../support/random-pod-templates.js";
import { widgetsIn } from "../support/widgets.js";

/** Number of object pairs for each kind of patch. */
const pairs = 25;

const ways = ["json", "merge", "strategic"] as const;

async function patchPairs(
  { client, namespace }: ConformanceContext,
  how: (typeof ways)[number],
  protocols: readonly ("TCP" | "UDP")[],
): Promise<void> {
  const templates = client.resource(PodTemplate, namespace);
  const random = seededRandom(1);
  let inexpressible = 0;
  for (let pair = 0; pair < pairs; pair++) {
    // The server creates both objects first, so that each has its defaults.
    const before = await templates.create(randomPodTemplate(`before-${pair}`, random, protocols));
    const other = await templates.create(randomPodTemplate(`after-${pair}`, random, protocols));
    const { labels, annotations, finalizers } = other.metadata;
    const metadata = { ...before.metadata, labels, annotations, finalizers };
    const after = { ...before, metadata, template: other.template };
    const patches: Record<typeof how, () => Promise<Patch>> = {
      json: () => jsonPatch.between(before, after, { testValues: true }),
      merge: () => mergePatch.between(before, after),
      strategic: () => strategicPatch.between(before, after),
    };
    const patch = await patches[how]().catch((error: unknown) => {
      // Ports with the same number at different positions: the client reports that the patch cannot express them.
      assert.ok(protocols.length > 1 && error instanceof KubeError, String(error));
      assert.match(error.message, /items with the same containerPort .* use jsonPatch\.between/);
      inexpressible += 1;
      return jsonPatch.between(before, after);
    });
    const patched = await templates.patch(`before-${pair}`, patch);
    const where = `pair ${pair}: ${JSON.stringify(patch.body)}`;
    assert.deepEqual(patched.template, other.template, where);
    assert.deepEqual(
      [patched.metadata.labels, patched.metadata.annotations, patched.metadata.finalizers],
      [labels, annotations, finalizers],
      where,
    );
  }
  assert.ok(inexpressible < pairs / 2, `${inexpressible} of ${pairs} cannot be said`);
}

/** Cases for patches computed from two objects. */
export const patchesBetween: readonly ConformanceCase[] = [
  ...ways.map(
    (how): ConformanceCase => ({
      id: `UPD8-${how}`,
      name: `the ${how} patch between two objects turns one into the other, ${pairs} times`,
      run: (context) => patchPairs(context, how, ["TCP"]),
    }),
  ),
  {
    id: "UPD8-same-key",
    name: "the strategic patch does so where a merge key is not unique, or reports that it cannot",
    run: (context) => patchPairs(context, "strategic", ["TCP", "UDP"]),
  },
  {
    id: "UPD8-custom",
    name: "JSON and merge patches between two custom resources turn one into the other",
    async run({ client, namespace }) {
      const widgets = widgetsIn(client, namespace);
      const specs = [
        { list: [1, { a: 1 }], map: { "x/y~z": 1, gone: [] }, big: 9007199254740993n },
        { list: [{ a: 2 }, 1, 2], map: { "x/y~z": { deep: "er" } }, big: 9007199254740995n },
      ];
      for (const how of ["json", "merge"] as const) {
        const [first, second] = specs;
        const before = await widgets.create({ metadata: { name: how }, spec: first });
        const after = { ...before, spec: second };
        const { between } = how === "json" ? jsonPatch : mergePatch;
        const patch = await between(before, after);
        const patched = await widgets.patch(how, patch);
        assert.deepEqual(patched["spec"], second);
      }
    },
  },
  {
    id: "UPD12-between",
    name: "each kind of patch can require the resourceVersion that was read",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const before = await configMaps.create(configMap("a", { k: "1" }));
      const after = { ...before, data: { k: "2" } };
      const options = { ifUnchanged: true };
      const patches = [
        await jsonPatch.between(before, after, options),
        await mergePatch.between(before, after, options),
        await strategicPatch.between(before, after, options),
      ];
      await configMaps.patch("a", mergePatch({ data: { other: "1" } }));
      for (const patch of patches) {
        await expectFailure(configMaps.patch("a", patch), {
          code: 409,
          reason: "Conflict",
          message: /the object has been modified/,
        });
      }
      const now = await configMaps.get("a");
      assert.deepEqual(now.data, { k: "1", other: "1" });
      for (const between of [jsonPatch.between, mergePatch.between, strategicPatch.between]) {
        const read = await configMaps.get("a");
        const k = String(Number(read.data?.["k"]) + 1);
        const patch = await between(read, { ...read, data: { ...read.data, k } }, options);
        await configMaps.patch("a", patch);
      }
      assert.deepEqual((await configMaps.get("a")).data, { k: "4", other: "1" });
    },
  },
  {
    id: "UPD7-between",
    name: "a JSON patch with tests is rejected if a value that it replaces has changed",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const before = await configMaps.create(configMap("a", { k: "1", other: "1" }));
      const after = { ...before, data: { k: "2", other: "1", new: "1" } };
      const patch = await jsonPatch.between(before, after, { testValues: true });
      await configMaps.patch("a", mergePatch({ data: { k: "9" } }));
      await expectFailure(configMaps.patch("a", patch), { code: 422, reason: "Invalid" });
      await configMaps.patch("a", mergePatch({ data: { k: "1", new: "theirs" } }));
      await expectFailure(configMaps.patch("a", patch), { code: 422, reason: "Invalid" });
      // Changes of other fields do not matter.
      await configMaps.patch("a", mergePatch({ data: { other: "2", new: null } }));
      const patched = await configMaps.patch("a", patch);
      assert.deepEqual(patched.data, { k: "2", other: "2", new: "1" });
    },
  },
  {
    id: "UPD9",
    name: "a counter changed by test and replace loses no increment",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("counter", { n: "0" }));
      const path = "/data/n";
      const increment = async (known: string): Promise<string> => {
        const next = String(Number(known) + 1);
        const patch = jsonPatch([
          { op: "test", path, value: known },
          { op: "replace", path, value: next },
        ]);
        const isDone = await configMaps.patch("counter", patch).then(
          () => true,
          () => false,
        );
        return isDone ? next : increment((await configMaps.get("counter")).data?.["n"] ?? "");
      };
      const writer = async () => {
        let known = "0";
        for (let count = 0; count < 10; count++) {
          known = await increment(known);
        }
      };
      await Promise.all([writer(), writer()]);
      assert.deepEqual((await configMaps.get("counter")).data, { n: "20" });
    },
  },
];
