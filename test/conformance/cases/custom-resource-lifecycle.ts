import assert from "node:assert/strict";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import { mergePatch } from "@typekube/client";
import { isForbidden, isMethodNotAllowed, isNotFound } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";
import {
  conditionText,
  free,
  ownDefinition,
  uninstall,
  untilDefinition,
  version,
} from "../support/custom-resources.js";
import { rawRequest } from "../support/raw-request.js";
import { install } from "../support/widgets.js";

/** Cases for creating and deleting definitions. */
export const customResourceLifecycle: readonly ConformanceCase[] = [
  {
    id: "ES13-created",
    name: "custom: a create sets the defaults of a definition; its conditions follow a moment later",
    needs: ["crd"],
    async run(context) {
      const { client, namespace } = context;
      const definition = ownDefinition(namespace, "Lamp");
      const created = await client.resource(CustomResourceDefinition).create(definition);
      assert.deepEqual(created.spec.names, {
        plural: "lamps",
        singular: "lamp",
        kind: "Lamp",
        listKind: "LampList",
      });
      assert.deepEqual(created.spec.conversion, { strategy: "None" });
      assert.deepEqual(created.status?.storedVersions, ["v1"]);
      assert.equal(created.metadata.generation, 1);
      const ready = await untilDefinition(
        context,
        definition.metadata.name,
        (one) => conditionText(one, "Established") === "True InitialNamesAccepted",
      );
      assert.equal(conditionText(ready, "NamesAccepted"), "True NoConflicts");
      assert.deepEqual(ready.status?.acceptedNames, created.spec.names);
      assert.equal(ready.metadata?.generation, 1);
    },
  },
  {
    id: "ES13-names-conflict",
    name: "custom: a conflicting name is not accepted until the other definition releases it",
    needs: ["crd"],
    async run(context) {
      const { client, namespace, signal } = context;
      const definitions = client.resource(CustomResourceDefinition);
      const first = ownDefinition(namespace, "Door");
      await install(client, first, signal);
      const second = ownDefinition(namespace, "Gate");
      second.spec.names = { ...second.spec.names, shortNames: ["doors"] };
      await definitions.create(second);
      const { name } = second.metadata;
      const refused = await untilDefinition(
        context,
        name,
        (one) => conditionText(one, "NamesAccepted") !== "",
      );
      assert.equal(conditionText(refused, "NamesAccepted"), "False ShortNamesConflict");
      assert.equal(conditionText(refused, "Established"), "False NotAccepted");
      assert.equal(refused.status?.conditions?.[0]?.message, '"doors" is already in use');
      await uninstall(context, first.metadata.name);
      const accepted = await untilDefinition(
        context,
        name,
        (one) => conditionText(one, "Established") === "True InitialNamesAccepted",
      );
      assert.equal(conditionText(accepted, "NamesAccepted"), "True NoConflicts");
    },
  },
  {
    id: "ES13-discovery",
    name: "custom: discovery lists a served kind with short names and categories, and drops it on deletion",
    needs: ["crd"],
    async run(context) {
      const { client, namespace, signal } = context;
      const definition = ownDefinition(
        namespace,
        "Bell",
        version(free, {
          subresources: {
            status: {},
            scale: { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" },
          },
        }),
      );
      definition.spec.names = {
        ...definition.spec.names,
        shortNames: ["bl"],
        categories: ["sounds"],
      };
      const { group } = definition.spec;
      const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
      const before = await rawRequest(context, { path: "/apis", accept });
      await install(client, definition, signal);
      // A real server lists the group in discovery a moment after it serves it; groups deleted earlier may disappear in
      // between.
      let after = before;
      while (!after.text.includes(`"${group}"`)) {
        signal.throwIfAborted();
        after = await rawRequest(context, { path: "/apis", accept });
      }
      assert.notEqual(after.headers["etag"], before.headers["etag"]);
      const list = (await rawRequest(context, { path: `/apis/${group}/v1` })).json<{
        resources: Record<string, unknown>[];
      }>();
      assert.deepEqual(
        list.resources.map(({ storageVersionHash, ...rest }) => rest),
        [
          {
            name: "bells",
            singularName: "bell",
            namespaced: true,
            kind: "Bell",
            verbs: [
              "delete",
              "deletecollection",
              "get",
              "list",
              "patch",
              "create",
              "update",
              "watch",
            ],
            shortNames: ["bl"],
            categories: ["sounds"],
          },
          {
            name: "bells/status",
            singularName: "",
            namespaced: true,
            kind: "Bell",
            verbs: ["get", "patch", "update"],
          },
          {
            name: "bells/scale",
            singularName: "",
            namespaced: true,
            group: "autoscaling",
            version: "v1",
            kind: "Scale",
            verbs: ["get", "patch", "update"],
          },
        ],
      );
      await uninstall(context, definition.metadata.name);
      const path = `/apis/${group}/v1/namespaces/${namespace}/bells`;
      const gone = await rawRequest(context, { path });
      assert.deepEqual([gone.status, gone.text], [404, "404 page not found\n"]);
    },
  },
  {
    id: "ES13-delete-instances",
    name: "custom: deleting a definition deletes its objects and ends their watches",
    needs: ["crd"],
    async run(context) {
      const { client, namespace, signal } = context;
      const definition = ownDefinition(namespace, "Cup");
      await install(client, definition, signal);
      const cups = client.resource(
        { apiVersion: `${definition.spec.group}/v1`, kind: "Cup" },
        namespace,
      );
      await cups.create({ metadata: { name: "a" } });
      await cups.create({ metadata: { name: "b" } });
      const { metadata } = await cups.list();
      const events: string[] = [];
      const watching = (async () => {
        const { resourceVersion } = metadata;
        for await (const { type, object } of cups.watch({ resourceVersion, signal })) {
          events.push(`${type} ${String(object.metadata?.name)}`);
        }
      })();
      await uninstall(context, definition.metadata.name);
      await watching;
      assert.deepEqual(events.sort(), ["DELETED a", "DELETED b"]);
      await assert.rejects(cups.list(), isNotFound);
    },
  },
  {
    id: "ES13-delete-waits",
    name: "custom: a deleted definition waits for the finalizers of its objects, and rejects creates meanwhile",
    needs: ["crd"],
    async run(context) {
      const { client, namespace, signal, whileTimePasses } = context;
      const definitions = client.resource(CustomResourceDefinition);
      const definition = ownDefinition(namespace, "Jar");
      const { name } = definition.metadata;
      await install(client, definition, signal);
      const jars = client.resource(
        { apiVersion: `${definition.spec.group}/v1`, kind: "Jar" },
        namespace,
      );
      await jars.create({ metadata: { name: "a", finalizers: ["typekube.dev/hold"] } });
      await definitions.delete(name);
      const ending = await untilDefinition(context, name, (one) =>
        conditionText(one, "Terminating").startsWith("True InstanceDeletion"),
      );
      assert.deepEqual(ending.metadata?.finalizers, ["customresourcecleanup.apiextensions.k8s.io"]);
      assert.ok(ending.metadata?.deletionTimestamp);
      await assert.rejects(
        jars.create({ metadata: { name: "b" } }),
        (error) => isForbidden(error) || isMethodNotAllowed(error),
      );
      for await (const event of jars.watch({ signal })) {
        if (event.type !== "BOOKMARK" && event.object.metadata.deletionTimestamp) {
          break;
        }
      }
      const gone = (async () => {
        const fieldSelector = { "metadata.name": name };
        for await (const { type } of definitions.watch({ fieldSelector, signal })) {
          if (type === "DELETED") {
            return;
          }
        }
      })();
      await jars.patch("a", mergePatch({ metadata: { finalizers: null } }));
      await whileTimePasses(gone);
      await assert.rejects(definitions.get(name), isNotFound);
    },
  },
];
