import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { jsonPatch, mergePatch } from "@typekube/client";
import { isNotFound, KubeError } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";
import { configMap, deployment, pod } from "../support/objects.js";
import { widgetsIn } from "../support/widgets.js";

/** Cases for reading, changing and writing an object, with retries after conflicts. */
export const modify: readonly ConformanceCase[] = [
  {
    id: "UPD3-modify",
    name: "two writers with 50 increments each reach 100",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("counter", { n: "0" }));
      const writer = async () => {
        for (let count = 0; count < 50; count++) {
          await configMaps.modify(
            "counter",
            (counter) => {
              counter.data = { n: String(Number(counter.data?.["n"]) + 1) };
            },
            { maxTries: 100 },
          );
        }
      };
      await Promise.all([writer(), writer()]);
      assert.deepEqual((await configMaps.get("counter")).data, { n: "100" });
    },
  },
  {
    id: "modify-conflict",
    name: "modify repeats a change on the object that another writer wrote",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a", { theirs: "1" }));
      const seen: unknown[] = [];
      const modified = await configMaps.modify("a", async (object) => {
        seen.push(object.data?.["theirs"]);
        if (seen.length === 1) {
          await configMaps.patch("a", mergePatch({ data: { theirs: "2" } }));
        }
        return { ...object, data: { ...object.data, mine: "1" } };
      });
      assert.deepEqual(seen, ["1", "2"]);
      assert.deepEqual(modified.data, { theirs: "2", mine: "1" });
    },
  },
  {
    id: "modify-nothing",
    name: "modify without a change writes nothing",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const created = await configMaps.create(configMap("a", { k: "v" }));
      const modified = await configMaps.modify("a", (object) => {
        object.data = { k: "v" };
      });
      assert.deepEqual(modified, created);
    },
  },
  {
    id: "modify-missing",
    name: "modify of a missing object fails with NotFound, or creates it with createIfMissing",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const count = (object: ConfigMap) => {
        object.data = { n: String(Number(object.data?.["n"] ?? 0) + 1) };
      };
      const error = await configMaps.modify("a", count).catch((caught: unknown) => caught);
      assert.ok(isNotFound(error));
      const options = { createIfMissing: { metadata: { labels: { made: "here" } } } };
      const made = await configMaps.modify("a", count, options);
      assert.deepEqual([made.data, made.metadata.labels], [{ n: "1" }, { made: "here" }]);
      const again = await configMaps.modify("a", count, options);
      assert.deepEqual([again.data, again.metadata.uid], [{ n: "2" }, made.metadata.uid]);
    },
  },
  {
    id: "modify-missing-replaced",
    name: "modify creates an object only under the requested name, also if the function returns another object",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const options = { createIfMissing: { data: { n: "0" } } };
      for (const n of ["1", "2"]) {
        const made = await configMaps.modify("a", () => ({ data: { n } }), options);
        assert.deepEqual([made.metadata.name, made.data], ["a", { n }]);
      }
      const rename = (object: ConfigMap) => {
        object.metadata = { ...object.metadata, name: "b" };
      };
      const renamed = await configMaps.modify("c", rename, options).catch((caught) => caught);
      assert.ok(renamed instanceof KubeError && renamed.code === "InvalidArgument");
      assert.deepEqual(
        (await configMaps.list()).items.map(({ metadata }) => metadata.name),
        ["a"],
      );
    },
  },
  {
    id: "modify-made-meanwhile",
    name: "modify changes an object that another writer created since the read",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      let tries = 0;
      const modified = await configMaps.modify(
        "a",
        async (object) => {
          tries += 1;
          if (tries === 1) {
            await configMaps.create(configMap("a", { theirs: "1" }));
          }
          object.data = { ...object.data, mine: "1" };
        },
        { createIfMissing: {} },
      );
      assert.deepEqual(modified.data, { theirs: "1", mine: "1" });
      assert.equal(tries, 2);
    },
  },
  {
    id: "modify-exhausted",
    name: "modify fails with Conflict if every attempt meets another writer",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a", { n: "0" }));
      let tries = 0;
      const failing = configMaps.modify("a", async (object) => {
        tries += 1;
        await configMaps.patch("a", mergePatch({ data: { n: String(tries) } }));
        object.data = { n: "mine" };
      });
      const error = await failing.catch((caught: unknown) => caught);
      assert.ok(error instanceof KubeError && error.code === "Conflict");
      assert.match(error.message, /tried 5 times/);
      assert.equal(tries, 5);
    },
  },
  {
    id: "modify-status",
    name: "modify changes the status through its subresource and the scale as a Scale",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      await deployments.create(deployment("a", 2));
      let isFirst = true;
      const updated = await deployments.status.modify("a", async (object) => {
        if (isFirst) {
          isFirst = false;
          await deployments.patch("a", mergePatch({ metadata: { labels: { l: "x" } } }));
        }
        object.status = { ...object.status, replicas: 2 };
      });
      assert.equal(updated.status?.replicas, 2);
      assert.equal(updated.metadata?.labels?.["l"], "x");
      const scale = await deployments.scale.modify("a", (object) => {
        object.spec = { replicas: (object.spec?.replicas ?? 0) + 3 };
      });
      assert.equal(scale.spec?.replicas, 5);
      assert.equal((await deployments.get("a")).spec?.replicas, 5);
    },
  },
  {
    id: "modify-custom-status",
    name: "modify changes custom resources and their status",
    async run({ client, namespace }) {
      const widgets = widgetsIn(client, namespace);
      await widgets.create({ metadata: { name: "a" }, spec: { size: 1 } });
      const modified = await widgets.modify("a", (widget) => {
        widget["spec"] = { size: 2 };
      });
      assert.deepEqual(modified["spec"], { size: 2 });
      const status = await widgets.status.modify("a", (widget) => ({
        ...widget,
        status: { seen: 1 },
      }));
      assert.deepEqual(status["status"], { seen: 1 });
    },
  },
  {
    id: "DEL3",
    name: "a finalizer is removed by its value, whatever other writers do to the list",
    async run({ client, namespace }) {
      const pods = client.resource(Pod, namespace);
      await pods.create({ ...pod("a"), metadata: { name: "a", finalizers: ["x.io/a", "x.io/b"] } });
      let isFirst = true;
      const left = await pods.modify("a", async ({ metadata }) => {
        if (isFirst) {
          isFirst = false;
          await pods.patch(
            "a",
            mergePatch({ metadata: { finalizers: ["x.io/c", "x.io/b", "x.io/a"] } }),
          );
        }
        metadata.finalizers = metadata.finalizers?.filter((one) => one !== "x.io/b");
      });
      assert.deepEqual(left.metadata.finalizers, ["x.io/c", "x.io/a"]);
      // The same without reading the object: the patch's test operation detects that the index now holds another
      // finalizer.
      const at = (index: number) =>
        jsonPatch([
          { op: "test", path: `/metadata/finalizers/${index}`, value: "x.io/a" },
          { op: "remove", path: `/metadata/finalizers/${index}` },
        ]);
      const error = await pods.patch("a", at(0)).catch((caught: unknown) => caught);
      assert.ok(error instanceof KubeError && error.code === "Invalid");
      assert.deepEqual((await pods.patch("a", at(1))).metadata.finalizers, ["x.io/c"]);
      await pods.patch("a", mergePatch({ metadata: { finalizers: null } }));
    },
  },
];
