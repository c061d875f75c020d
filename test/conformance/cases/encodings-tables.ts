import assert from "node:assert/strict";
import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { isTable } from "@typekube/client";
import type { ConformanceCase } from "../conformance-case.js";
import { createConfigMaps, pod } from "../support/objects.js";
import { expectRefusal, rawRequest } from "../support/raw-request.js";
import { widgetsIn } from "../support/widgets.js";

/** Cases for tables, whatever encoding the client prefers. */
export const encodingsTables: readonly ConformanceCase[] = [
  {
    id: "TAB7",
    name: "a client with any encoding can read tables",
    async run({ client, namespace }) {
      await client.resource(Pod, namespace).create(pod("a"));
      for (const encoding of ["json", "protobuf", "cbor", "yaml"] as const) {
        const table = await client.with({ encoding }).resource(Pod, namespace).table();
        assert.ok(isTable(table), encoding);
        assert.equal(table.columnDefinitions[0]?.name, "Name");
        assert.equal(table.rows.length, 1);
        assert.equal(table.rows[0]?.cells[0], "a");
        assert.equal(table.rows[0]?.object.kind, "PartialObjectMetadata");
      }
    },
  },
  {
    id: "TAB7-refused",
    name: "tables in protobuf and CBOR respond with NotAcceptable",
    async run(context) {
      const path = `/api/v1/namespaces/${context.namespace}/configmaps`;
      for (const type of ["application/vnd.kubernetes.protobuf", "application/cbor"]) {
        const accept = `${type};as=Table;g=meta.k8s.io;v=v1`;
        const refused = await rawRequest(context, { path, accept });
        assert.equal(refused.status, 406, type);
        const otherwise = await rawRequest(context, {
          path,
          accept: `${accept}, application/json`,
        });
        assert.equal(otherwise.json()["kind"], "ConfigMapList", type);
      }
    },
  },
  {
    id: "TAB6",
    name: "Table v1beta1 is still served, an unknown version is rejected",
    async run(context) {
      const path = `/api/v1/namespaces/${context.namespace}/configmaps`;
      const accept = (version: string) => `application/json;as=Table;g=meta.k8s.io;v=${version}`;
      const old = await rawRequest(context, { path, accept: accept("v1beta1") });
      assert.equal(old.json()["apiVersion"], "meta.k8s.io/v1beta1");
      const refused = { code: 406, reason: "NotAcceptable" };
      await expectRefusal(context, { path, accept: accept("v2") }, refused);
    },
  },
  {
    id: "TAB3",
    name: "a custom resource without printer columns has the columns Name and Age",
    async run({ client, namespace }) {
      const widgets = widgetsIn(client, namespace);
      await widgets.create({ metadata: { name: "a" }, spec: {} });
      for (const table of [await widgets.table(), await widgets.tableOf("a")]) {
        assert.ok(isTable(table));
        assert.deepEqual(
          table.columnDefinitions.map(({ name }) => name),
          ["Name", "Age"],
        );
        assert.equal(table.rows.length, 1);
      }
    },
  },
  {
    id: "table-include-object",
    name: "includeObject puts the metadata, the whole object or nothing into a row",
    async run({ client, namespace }) {
      await createConfigMaps(client, namespace, 1);
      const configMaps = client.resource(ConfigMap, namespace);
      const object = await configMaps.get("cm-00");
      const sure = { fallback: false } as const;
      const whole = await configMaps.tableOf("cm-00", { ...sure, includeObject: "Object" });
      assert.deepEqual(whole.rows[0]?.object, object);
      const metadata = await configMaps.tableOf("cm-00", sure);
      assert.deepEqual(metadata.rows[0]?.object, {
        kind: "PartialObjectMetadata",
        apiVersion: "meta.k8s.io/v1",
        metadata: object.metadata,
      });
      const nothing = await configMaps.tableOf("cm-00", { ...sure, includeObject: "None" });
      assert.equal(nothing.rows[0]?.object, null);
    },
  },
  {
    id: "table-pages",
    name: "a table is paged, and a table without objects has no rows",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const sure = { fallback: false, labelSelector: { page: "yes" } } as const;
      assert.deepEqual((await configMaps.table(sure)).rows, []);
      await createConfigMaps(client, namespace, 3, () => ({ page: "yes" }));
      const first = await configMaps.table({ ...sure, limit: 2 });
      const rest = await configMaps.table({ ...sure, continue: first.metadata.continue });
      assert.deepEqual(
        [...first.rows, ...rest.rows].map(({ cells }) => cells[0]),
        ["cm-00", "cm-01", "cm-02"],
      );
    },
  },
];
