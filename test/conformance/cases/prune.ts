import assert from "node:assert/strict";
import { ConfigMap, Secret } from "@typekube/api/core/v1";
import { KubeError } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";

const configMapIn = (namespace: string, name: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace },
});

const partOf = "applyset.kubernetes.io/part-of";

/** Cases for apply sets: objects that are no longer in the manifests are pruned. */
export const prunes: readonly ConformanceCase[] = [
  {
    id: "prune",
    name: "members missing from the manifests are deleted, also those of a dropped kind; a dry run only lists them",
    async run({ client, namespace }) {
      const options = { fieldManager: "m1", applySet: { name: "set", namespace } };
      const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s", namespace } };
      const [a, b] = [configMapIn(namespace, "a"), configMapIn(namespace, "b")];
      const first = await client.applyAndPrune([a, b, secret], options);
      assert.deepEqual([first.applied.length, first.pruned, first.kept], [3, [], []]);
      const dry = await client.applyAndPrune([a], { ...options, dryRun: "All" });
      const named = ({ pruned }: typeof dry) => pruned.map(({ kind, name }) => `${kind} ${name}`);
      assert.deepEqual(named(dry).sort(), ["ConfigMap b", "Secret s"]);
      const configMaps = client.resource(ConfigMap, namespace);
      assert.ok(await configMaps.find("b"));
      assert.ok(await client.resource(Secret, namespace).find("s"));

      const second = await client.applyAndPrune([a], options);
      assert.deepEqual(named(second).sort(), ["ConfigMap b", "Secret s"]);
      assert.ok(second.pruned.every(({ outcome }) => outcome === "deleted"));
      assert.equal(await configMaps.find("b"), undefined);
      assert.equal(await client.resource(Secret, namespace).find("s"), undefined);
      assert.ok(await configMaps.find("a"));
      const third = await client.applyAndPrune([a], options);
      assert.deepEqual([third.applied[0]?.outcome, third.pruned], ["unchanged", []]);
    },
  },
  {
    id: "prune-inventory",
    name: "the inventory is a ConfigMap in the format of ApplySets",
    async run({ client, namespace }) {
      const options = { fieldManager: "m1", applySet: { name: "set", namespace } };
      await client.applyAndPrune([configMapIn(namespace, "a")], options);
      const configMaps = client.resource(ConfigMap, namespace);
      const { labels, annotations } = (await configMaps.get("set")).metadata;
      const id = labels?.["applyset.kubernetes.io/id"] ?? "";
      assert.match(id, /^applyset-[\w-]{43}-v1$/);
      assert.equal((await configMaps.get("a")).metadata.labels?.[partOf], id);
      assert.equal(annotations?.["applyset.kubernetes.io/contains-group-kinds"], "ConfigMap");
      assert.match(annotations?.["applyset.kubernetes.io/tooling"] ?? "", /^typekube\//);
    },
  },
  {
    id: "prune-ownership",
    name: "objects that only look like members, and objects of others, are not pruned",
    async run({ client, namespace }) {
      const options = { fieldManager: "m1", applySet: { name: "set", namespace } };
      const configMaps = client.resource(ConfigMap, namespace);
      const { applied } = await client.applyAndPrune([configMapIn(namespace, "a")], options);
      const id = applied[0]?.object.metadata.labels?.[partOf] ?? "";
      await configMaps.create({ metadata: { name: "copy", labels: { [partOf]: id } } });
      await configMaps.create({ metadata: { name: "bystander" } });
      const { pruned, kept } = await client.applyAndPrune([configMapIn(namespace, "a")], options);
      assert.deepEqual(pruned, []);
      assert.deepEqual(
        kept.map(({ name }) => name),
        ["copy"],
      );
      assert.ok(await configMaps.find("copy"));
      assert.ok(await configMaps.find("bystander"));
    },
  },
  {
    id: "prune-failure",
    name: "a failed manifest prevents pruning, and the next run still finds the members to prune",
    async run({ client, namespace }) {
      const options = { fieldManager: "m1", applySet: { name: "set", namespace } };
      await client.applyAndPrune([configMapIn(namespace, "a")], options);
      const bad = configMapIn(namespace, "Not_Valid");
      await assert.rejects(client.applyAndPrune([bad], options), KubeError);
      assert.ok(await client.resource(ConfigMap, namespace).find("a"));
      const { pruned } = await client.applyAndPrune([configMapIn(namespace, "b")], options);
      assert.deepEqual(
        pruned.map(({ name }) => name),
        ["a"],
      );
    },
  },
  {
    id: "prune-refusals",
    name: "empty manifests, an ApplySet of another tool and a member of another ApplySet are rejected",
    async run({ client, namespace }) {
      const options = { fieldManager: "m1", applySet: { name: "set", namespace } };
      const one = configMapIn(namespace, "a");
      await client.applyAndPrune([one], options);
      const refused = async (work: Promise<unknown>, code: string, message: RegExp) => {
        const error = await work.then(undefined, (caught: unknown) => caught);
        assert.ok(error instanceof KubeError, String(error));
        assert.equal(error.code, code);
        assert.match(error.message, message);
      };
      await refused(client.applyAndPrune([], options), "InvalidArgument", /no manifests/);
      const other = { ...options, applySet: { name: "other", namespace } };
      await refused(client.applyAndPrune([one], other), "Conflict", /another ApplySet/);
      await client.resource(ConfigMap, namespace).create({
        metadata: {
          name: "theirs",
          annotations: { "applyset.kubernetes.io/tooling": "kubectl/v1.37.0" },
        },
      });
      const theirs = { ...options, applySet: { name: "theirs", namespace } };
      await refused(client.applyAndPrune([one], theirs), "InvalidArgument", /kubectl/);
      const { pruned } = await client.applyAndPrune("", { ...options, allowEmpty: true });
      assert.deepEqual(
        pruned.map(({ name }) => name),
        ["a"],
      );
    },
  },
];
