import assert from "node:assert/strict";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import { mergePatch } from "@typekube/client";
import type { ConformanceCase } from "../conformance-case.js";
import { free, ownDefinition, rejectionCauses, version } from "../support/custom-resources.js";
import { namesOf } from "../support/objects.js";
import { rawRequest } from "../support/raw-request.js";
import { install } from "../support/widgets.js";

/** Cases for changes of definitions. */
export const customResourceChanges: readonly ConformanceCase[] = [
  {
    id: "ES13-update",
    name: "custom: an update of a definition changes the served versions; names, scope and group are immutable",
    needs: ["crd"],
    async run(context) {
      const { client, namespace, signal } = context;
      const definitions = client.resource(CustomResourceDefinition);
      const definition = ownDefinition(namespace, "Fan");
      const { name } = definition.metadata;
      await install(client, definition, signal);
      const { group } = definition.spec;
      const second = version(free, { name: "v2", storage: false });
      const updated = await definitions.modify(name, (current) => {
        current.spec.versions.push(second);
      });
      assert.equal(updated.metadata.generation, 2);
      const path = (served: string) => `/apis/${group}/${served}/namespaces/${namespace}/fans`;
      while ((await rawRequest(context, { path: path("v2") })).status !== 200) {
        signal.throwIfAborted();
      }
      await definitions.modify(name, (current) => {
        for (const one of current.spec.versions) {
          one.served = one.name !== "v2";
        }
      });
      while ((await rawRequest(context, { path: path("v2") })).status !== 404) {
        signal.throwIfAborted();
      }
      // A real server returns 429 for a moment while it reloads the definition.
      assert.notEqual((await rawRequest(context, { path: path("v1") })).status, 404);
      const seen = await rejectionCauses(
        definitions.patch(name, mergePatch({ spec: { scope: "Cluster", names: { kind: "Fin" } } })),
      );
      assert.deepEqual(seen, [
        'spec.names.kind | FieldValueInvalid | Invalid value: "Fin": field is immutable',
        'spec.scope | FieldValueInvalid | Invalid value: "Cluster": field is immutable',
      ]);
    },
  },
  {
    id: "ES13-stored-versions",
    name: "custom: a version in storedVersions cannot be removed from a definition",
    needs: ["crd"],
    async run(context) {
      const { client, namespace, signal } = context;
      const definitions = client.resource(CustomResourceDefinition);
      const definition = ownDefinition(
        namespace,
        "Net",
        version(free),
        version(free, { name: "v2", storage: false }),
      );
      const { name } = definition.metadata;
      await install(client, definition, signal);
      const moved = await definitions.modify(name, (current) => {
        for (const one of current.spec.versions) {
          one.storage = one.name === "v2";
        }
      });
      assert.deepEqual(moved.status?.storedVersions, ["v1", "v2"]);
      const seen = await rejectionCauses(
        definitions.modify(name, (current) => {
          current.spec.versions = current.spec.versions.filter((one) => one.name === "v2");
        }),
      );
      assert.deepEqual(seen, [
        'status.storedVersions[0] | FieldValueInvalid | Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
      ]);
    },
  },
  {
    id: "ES13-cluster-scope",
    name: "custom: a cluster-scoped definition serves a kind without namespaces",
    needs: ["crd"],
    async run(context) {
      const { client, namespace, signal } = context;
      const definition = ownDefinition(namespace, "Sun");
      definition.spec.scope = "Cluster";
      await install(client, definition, signal);
      const { group } = definition.spec;
      const suns = client.resource({ apiVersion: `${group}/v1`, kind: "Sun" });
      await suns.create({ metadata: { name: "a" }, spec: { hot: true } });
      assert.deepEqual(namesOf((await suns.list()).items), ["a"]);
      const path = `/apis/${group}/v1/namespaces/${namespace}/suns`;
      assert.equal((await rawRequest(context, { path })).status, 404);
    },
  },
  {
    id: "ES13-watch-ends",
    name: "custom: watches end without an error when the definition changes",
    needs: ["crd"],
    async run(context) {
      const { client, namespace, signal } = context;
      const definition = ownDefinition(namespace, "Fork");
      await install(client, definition, signal);
      const forks = client.resource(
        { apiVersion: `${definition.spec.group}/v1`, kind: "Fork" },
        namespace,
      );
      await forks.create({ metadata: { name: "a" } });
      const seen: string[] = [];
      const change = async () => {
        await client
          .resource(CustomResourceDefinition)
          .patch(
            definition.metadata.name,
            mergePatch({ spec: { names: { categories: ["tools"] } } }),
          );
      };
      for await (const { type, object } of forks.watch({ signal })) {
        if (type !== "BOOKMARK") {
          seen.push(`${type} ${String(object.metadata?.name)}`);
          await change();
        }
      }
      assert.deepEqual(seen, ["ADDED a"]);
      assert.equal(signal.aborted, false);
    },
  },
];
