import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { mergePatch } from "@typekube/client";
import type { ConformanceCase } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { configMap, deployment, pod } from "../support/objects.js";
import { accepted, rawCollection, refused } from "../support/raw-collection.js";
import { expectRefusal, rawRequest } from "../support/raw-request.js";

const dryRun = { dryRun: "All" } as const;

/** Cases for writes that pass every stage and store nothing. */
export const dryRuns: readonly ConformanceCase[] = [
  {
    id: "DRY1-create",
    name: "a dry run of a create returns the object and stores nothing",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const response = await configMaps.create(configMap("a", { k: "v" }), dryRun);
      assert.deepEqual(response.data, { k: "v" });
      assert.ok(response.metadata.uid);
      assert.equal(await configMaps.find("a"), undefined);
    },
  },
  {
    id: "DRY1-change",
    name: "dry runs of update, patch and apply return the result and change nothing",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const before = await configMaps.create(configMap("a", { k: "1" }));
      const outcomes = [
        await configMaps.update({ ...before, data: { k: "2" } }, dryRun),
        await configMaps.patch("a", mergePatch({ data: { k: "2" } }), dryRun),
        await configMaps.apply(configMap("a", { k: "2" }), {
          ...dryRun,
          fieldManager: "m1",
          force: true,
        }),
      ];
      for (const { data } of outcomes) {
        assert.deepEqual(data, { k: "2" });
      }
      assert.deepEqual(await configMaps.get("a"), before);
    },
  },
  {
    id: "DRY1-delete",
    name: "a dry run of a delete succeeds and deletes nothing",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const before = await configMaps.create(configMap("a"));
      await configMaps.delete("a", { ...dryRun, propagationPolicy: "Background" });
      assert.deepEqual(await configMaps.get("a"), before);
    },
  },
  {
    id: "DRY1-client",
    name: "a client with dryRun sends every write as a dry run",
    async run({ client, namespace }) {
      const dry = client.with(dryRun).resource(ConfigMap, namespace);
      const configMaps = client.resource(ConfigMap, namespace);
      await dry.create(configMap("a"));
      assert.equal(await configMaps.find("a"), undefined);
      await configMaps.create(configMap("a"));
      await dry.patch("a", mergePatch({ data: { k: "v" } }));
      assert.equal((await configMaps.get("a")).data, undefined);
      await dry.delete("a");
      await dry.deleteCollection();
      assert.ok(await configMaps.find("a"), "a dry run deleted the object");
    },
  },
  {
    id: "DRY2",
    name: "a dryRun other than All responds with Invalid, also when it is empty",
    async run(context) {
      const path = `/api/v1/namespaces/${context.namespace}/configmaps`;
      const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
      for (const query of ["dryRun", "dryRun=", "dryRun=all", "dryRun=true"]) {
        const { details } = await expectRefusal(
          context,
          { method: "POST", path: `${path}?${query}`, body },
          { code: 422, reason: "Invalid" },
        );
        assert.deepEqual(
          details?.causes?.map(({ field, reason }) => ({ field, reason })),
          [{ field: "dryRun", reason: "FieldValueNotSupported" }],
        );
      }
    },
  },
  {
    id: "DRY2-delete",
    name: "a delete whose dryRun is not a list of All is refused and deletes nothing",
    async run(context) {
      const configMaps = rawCollection(context, "/api/v1/%/configmaps");
      const pods = rawCollection(context, "/api/v1/%/pods");
      await accepted(configMaps.post("", { ...configMap("a") }));
      await accepted(pods.post("", { ...pod("p") }));
      const unsupported = (values: string) =>
        `DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: [${values}]: supported values: "All"`;
      for (const place of ["", "/a"]) {
        for (const [query, values] of [
          ["dryRun", '""'],
          ["dryRun=true", '"true"'],
          ["dryRun=All&dryRun=all", '"All","all"'],
        ] as const) {
          assert.deepEqual(await refused(configMaps.delete(`${place}?${query}`)), [
            422,
            unsupported(values),
          ]);
        }
      }
      const unread = (what: string, type: string) =>
        `json: cannot unmarshal ${what} into Go struct field DeleteOptions.dryRun of type ${type}`;
      for (const [dryRun, code, why] of [
        [true, 400, unread("bool", "[]string")],
        ["All", 400, unread("string", "[]string")],
        ["", 400, unread("string", "[]string")],
        [{}, 400, unread("object", "[]string")],
        [[true], 400, unread("bool", "string")],
        [["All", 1], 400, unread("number", "string")],
        [[["All"]], 400, unread("array", "string")],
        [["all"], 422, unsupported('"all"')],
        [[null], 422, unsupported('""')],
      ] as const) {
        for (const place of ["", "/a"]) {
          const refusal = await refused(configMaps.delete(place, { dryRun }));
          assert.deepEqual(refusal, [code, why]);
        }
        const [status, text] = await refused(
          pods.post("/p/eviction", { metadata: { name: "p" }, deleteOptions: { dryRun } }),
        );
        const inEviction = why.replace(/field DeleteOptions\.dryRun/, (at) =>
          at.replace(".", ".deleteOptions."),
        );
        const start =
          code === 400 ? 'Eviction in version "v1" cannot be handled as a Eviction: ' : "";
        assert.deepEqual([status, text], [code, `${start}${inEviction}`]);
      }
      await accepted(configMaps.get("/a"));
      await accepted(pods.get("/p"));
    },
  },
  {
    id: "DRY3",
    name: "a delete with a body ignores the query",
    async run(context) {
      const { client, namespace } = context;
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a"));
      await rawRequest(context, {
        method: "DELETE",
        path: `/api/v1/namespaces/${namespace}/configmaps/a?dryRun=All`,
        body: { apiVersion: "v1", kind: "DeleteOptions" },
      });
      assert.equal(await configMaps.find("a"), undefined);
      await configMaps.create(configMap("b"));
      await rawRequest(context, {
        method: "DELETE",
        path: `/api/v1/namespaces/${namespace}/configmaps/b?dryRun=All`,
      });
      assert.ok(await configMaps.find("b"));
    },
  },
  {
    id: "DRY4",
    name: "a dry run is validated, detects conflicts and does not increment the resourceVersion",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a"));
      const { metadata } = await configMaps.list();
      await expectFailure(configMaps.create(configMap("a"), dryRun), {
        code: 409,
        reason: "AlreadyExists",
      });
      await expectFailure(configMaps.create(configMap("b", { "no spaces": "x" }), dryRun), {
        code: 422,
        reason: "Invalid",
      });
      await configMaps.create(configMap("c"), dryRun);
      assert.equal((await configMaps.list()).metadata.resourceVersion, metadata.resourceVersion);
    },
  },
  {
    id: "DRY5",
    name: "a dry run responds with the usual status code",
    async run(context) {
      const path = `/api/v1/namespaces/${context.namespace}/configmaps`;
      const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
      const created = await rawRequest(context, {
        method: "POST",
        path: `${path}?dryRun=All`,
        body,
      });
      assert.equal(created.status, 201);
    },
  },
  {
    id: "DRY1-subresources",
    name: "dry runs of subresources, modify and deleteCollection store nothing either",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      const before = await deployments.create(deployment("a", 2));
      const scaled = await deployments.scale.patch(
        "a",
        mergePatch({ spec: { replicas: 5 } }),
        dryRun,
      );
      assert.equal(scaled.spec?.replicas, 5);
      const status = { metadata: { name: "a" }, status: { replicas: 1 } };
      await deployments.status.apply("a", status as never, { ...dryRun, fieldManager: "m1" });
      await deployments.status.patch("a", mergePatch({ status: { replicas: 1 } }), dryRun);
      await deployments.status.modify(
        "a",
        (object) => {
          object.status = { replicas: 1 };
        },
        dryRun,
      );
      const modified = await deployments.modify(
        "a",
        ({ metadata }) => {
          metadata.labels = { l: "x" };
        },
        dryRun,
      );
      assert.deepEqual(modified.metadata.labels, { l: "x" });
      await deployments.deleteCollection(dryRun);
      assert.deepEqual(await deployments.get("a"), before);
    },
  },
  {
    id: "DRY1-eviction",
    name: "a dry run in the query or in deleteOptions neither binds nor evicts the pod",
    async run({ client, namespace }) {
      const pods = client.resource(Pod, namespace);
      const metadata = { name: "a" };
      const created = await pods.create(pod("a"));
      await pods.binding.create("a", { metadata, target: { kind: "Node", name: "n" } }, dryRun);
      assert.deepEqual(await pods.get("a"), created);
      await pods.eviction.create("a", { metadata }, dryRun);
      assert.ok(await pods.find("a"), "dryRun in the query was lost");
      await pods.eviction.create("a", { metadata, deleteOptions: { dryRun: ["All"] } });
      assert.ok(await pods.find("a"), "dryRun in the delete options was lost");
    },
  },
  {
    id: "DRY9",
    name: "a dry run needs the permissions of the write",
    needs: ["users"],
    async run({ client, clientOf, namespace }) {
      await client.resource(ConfigMap, namespace).create(configMap("a"));
      const viewer = await clientOf("viewer");
      try {
        const failing = viewer
          .resource(ConfigMap, namespace)
          .patch("a", mergePatch({ data: { k: "v" } }), dryRun);
        await expectFailure(failing, { code: 403, reason: "Forbidden" });
      } finally {
        await viewer.close();
      }
    },
  },
];
