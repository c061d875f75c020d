import assert from "node:assert/strict";
import type { KubeObject } from "@typekube/api";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, Namespace } from "@typekube/api/core/v1";
import { manifestResults } from "@typekube/client";
import { isNotFound, KubeError } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";
import { deployment } from "../support/objects.js";
import { definitionOf, widgetsIn } from "../support/widgets.js";

const options = { fieldManager: "m1" };

const outcomesOf = (results: readonly { readonly outcome: string }[]) =>
  results.map(({ outcome }) => outcome);

/** Cases for applying objects of any kind, by their own apiVersion and kind. */
export const applyManifests: readonly ConformanceCase[] = [
  {
    id: "apply-manifest",
    name: "apply chooses the path by apiVersion and kind of the manifest",
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
    name: "applyAll applies YAML with several documents and scopes in order; repeating it changes nothing",
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
      assert.deepEqual(outcomesOf(first), ["created", "created", "created"]);
      const second = await client.applyAll(yaml, options);
      assert.deepEqual(outcomesOf(second), ["unchanged", "unchanged", "unchanged"]);
      assert.deepEqual(
        second.map(({ object }) => object),
        first.map(({ object }) => object),
      );
      const third = await client.applyAll(yaml.replace('"yes"', '"no"'), options);
      assert.deepEqual(outcomesOf(third), ["unchanged", "changed", "unchanged"]);
    },
  },
  {
    id: "CHK14",
    name: "applyAll expands a document of kind List into its items",
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
    id: "CHK14-typed",
    name: "applyAll expands a typed list whose items omit apiVersion and kind, from text and from an object",
    async run({ client, namespace }) {
      const list: KubeObject & { readonly items: readonly KubeObject[] } = {
        apiVersion: "v1",
        kind: "ConfigMapList",
        metadata: { resourceVersion: "7" },
        items: [{ metadata: { name: "a", namespace } }, { metadata: { name: "b", namespace } }],
      };
      const outer: typeof list = { apiVersion: "v1", kind: "List", items: [list] };
      for (const [manifests, outcome] of [
        [JSON.stringify(list), "created"],
        [[list], "unchanged"],
        [[outer], "unchanged"],
      ] as const) {
        assert.equal((await client.diff(manifests, options)).objects.length, 2);
        const applied = await client.applyAll(manifests, { ...options, onFailure: "report" });
        assert.deepEqual(outcomesOf(applied), [outcome, outcome]);
      }
      const deleted = await client.deleteAll([list]);
      assert.deepEqual(
        deleted.map(({ kind, name }) => `${kind} ${name}`),
        ["ConfigMap a", "ConfigMap b"],
      );
    },
  },
  {
    id: "apply-all-leaving",
    name: "applying to an object that is being deleted warns; removing the last finalizer counts as configured",
    async run({ client, namespace }) {
      const of = (...finalizers: string[]) => [
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace, finalizers } },
      ];
      const warnings: string[] = [];
      const onWarning = (text: string) => void warnings.push(text);
      const apply = async (...finalizers: string[]) =>
        outcomesOf(await client.applyAll(of(...finalizers), { ...options, onWarning }));
      assert.deepEqual(await apply("x.io/a"), ["created"]);
      await client.deleteAll(of());
      assert.deepEqual(warnings, []);
      assert.deepEqual(await apply("x.io/a"), ["unchanged"]);
      const said = 'ConfigMap "a" is being deleted, and the applied fields with it';
      assert.deepEqual(warnings, [said]);
      assert.deepEqual(await apply(), ["changed"]);
      assert.deepEqual(warnings, [said, said]);
      assert.equal(await client.resource(ConfigMap, namespace).find("a"), undefined);
    },
  },
  {
    id: "apply-all-mistakes",
    name: "an empty namespace is the client's namespace; a numeric name and a review are rejected",
    async run({ client, namespace }) {
      const yaml = `
apiVersion: v1
kind: ConfigMap
metadata: { name: empty-namespace-${namespace}, namespace: "" }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: 2024 }
---
apiVersion: authorization.k8s.io/v1
kind: SelfSubjectAccessReview
metadata: { name: a }
spec: {}
`;
      const done = await client.applyAll(yaml, { ...options, onFailure: "report" });
      const said = done.map((one) =>
        one.outcome === "failed" ? one.error.code : one.object.metadata.namespace,
      );
      assert.deepEqual(said, [client.namespace, "InvalidArgument", "InvalidArgument"]);
      const [created] = done;
      assert.ok(created && created.outcome !== "failed");
      await client.deleteAll([created.object]);
    },
  },
  {
    id: "GRP30",
    name: "the error names a rejected document, and the other documents are applied",
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
      assert.deepEqual(outcomesOf(manifestResults(error)), ["created", "failed", "created"]);
      const again = await client.applyAll([item("a"), item("Not_Valid")], {
        ...options,
        onFailure: "report",
      });
      assert.deepEqual(outcomesOf(again), ["unchanged", "failed"]);
    },
  },
  {
    id: "apply-all-dry-run",
    name: "DRY1: applyAll with dryRun stores nothing and reports the outcomes",
    async run({ client, namespace }) {
      const item = (name: string, text: string) => ({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name, namespace },
        data: { text },
      });
      await client.applyAll([item("a", "1"), item("b", "1")], options);
      const dry = await client.applyAll([item("a", "2"), item("b", "1"), item("c", "1")], {
        ...options,
        dryRun: "All",
      });
      assert.deepEqual(outcomesOf(dry), ["changed", "unchanged", "created"]);
      const configMaps = client.resource(ConfigMap, namespace);
      assert.deepEqual((await configMaps.get("a")).data, { text: "1" });
      assert.equal(await configMaps.find("c"), undefined);
    },
  },
  {
    id: "apply-all-order",
    name: "applyAll creates a namespace before the objects in it, even if it comes last",
    async run({ client, namespace }) {
      const home = `${namespace}-late`;
      const metadata = { name: "a", namespace: home };
      const results = await client.applyAll(
        [
          { apiVersion: "v1", kind: "ConfigMap", metadata },
          { apiVersion: "v1", kind: "Namespace", metadata: { name: home } },
        ],
        options,
      );
      assert.deepEqual(
        results.map(({ index, object }) => `${index} ${object.kind}`),
        ["0 ConfigMap", "1 Namespace"],
      );
    },
  },
  {
    id: "apply-all-definition",
    name: "custom resources are applied once their definition is served; a name conflict ends the wait",
    needs: ["crd"],
    async run({ client, namespace, signal }) {
      const gadget = {
        group: "apply-all.typekube.dev",
        version: "v1",
        kind: "Gadget",
        plural: "gadgets",
        singular: "gadget",
      };
      const define = (changes: Partial<typeof gadget> = {}) => ({
        ...definitionOf({ ...gadget, ...changes }),
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
      });
      const object = {
        apiVersion: "apply-all.typekube.dev/v1",
        kind: "Gadget",
        metadata: { name: "g", namespace },
        spec: { size: 3 },
      };
      const manifests = [object, define()];
      assert.deepEqual(outcomesOf(await client.applyAll(manifests, { ...options, signal })), [
        "created",
        "created",
      ]);
      assert.deepEqual(outcomesOf(await client.applyAll(manifests, options)), [
        "unchanged",
        "unchanged",
      ]);
      const rival = define({ plural: "gadgetries", singular: "gadgetry" });
      const [taken] = await client.applyAll([rival], { ...options, onFailure: "report", signal });
      assert.ok(taken?.outcome === "failed");
      assert.equal(taken.error.code, "Conflict");
      const deleted = await client.deleteAll([...manifests, rival], {
        goneTimeoutMs: 20_000,
        signal,
      });
      assert.deepEqual(outcomesOf(deleted), ["deleted", "deleted", "deleted"]);
      const again = await client.deleteAll(manifests, { signal });
      assert.deepEqual(outcomesOf(again), ["absent", "absent"]);
    },
  },
  {
    id: "GRP32",
    name: "the cause of the error contains every failure",
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
    name: "a manifest without a namespace is applied to the client's namespace",
    async run({ client, namespace }) {
      const name = `without-namespace-${namespace}`;
      const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name } } as const;
      const { metadata } = await client.apply(manifest, options);
      assert.equal(metadata.namespace, client.namespace);
    },
  },
];
