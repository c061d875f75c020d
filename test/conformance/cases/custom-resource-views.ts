import assert from "node:assert/strict";
import { mergePatch } from "@typekube/client";
import { KubeError } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";
import { customResource, rejectionCauses } from "../support/custom-resources.js";
import { gauges } from "../support/gauges.js";
import { namesOf } from "../support/objects.js";
import { rawRequest } from "../support/raw-request.js";

const apiVersion = "custom.typekube.dev/v1";

function gaugePath(namespace: string, rest = ""): string {
  return `/apis/${apiVersion}/namespaces/${namespace}/gauges${rest}`;
}

/** Cases for selectors, tables, applies and encodings of custom resources. */
export const customResourceViews: readonly ConformanceCase[] = [
  {
    id: "ES14-selectable",
    name: "custom: lists and watches support field selectors for selectableFields only",
    needs: ["crd"],
    async run(context) {
      const { client, namespace, signal } = context;
      const resource = await customResource(context, gauges);
      const { metadata } = await resource.list();
      await resource.create({
        metadata: { name: "a" },
        spec: { unit: "bar", color: "red", size: 2 },
      });
      await resource.create({ metadata: { name: "b" }, spec: { unit: "bar", color: "blue" } });
      const fieldSelector = { "spec.color": "red" };
      assert.deepEqual(namesOf((await resource.list({ fieldSelector })).items), ["a"]);
      assert.deepEqual(
        namesOf((await resource.list({ fieldSelector: { "spec.size": "2" } })).items),
        ["a"],
      );
      await resource.patch("b", mergePatch({ spec: { color: "red" } }));
      await resource.patch("a", mergePatch({ spec: { color: "green" } }));
      const events: string[] = [];
      const { resourceVersion } = metadata;
      for await (const event of resource.watch({ fieldSelector, resourceVersion, signal })) {
        events.push(`${event.type} ${String(event.object.metadata?.name)}`);
        if (event.type === "DELETED") {
          break;
        }
      }
      assert.deepEqual(events, ["ADDED a", "ADDED b", "DELETED a"]);
      const other = resource.list({ fieldSelector: { "spec.unit": "bar" } });
      await assert.rejects(other, (error) => {
        assert.ok(error instanceof KubeError && isBadRequestError(error));
        assert.match(error.message, /field label not supported: spec\.unit/);
        return true;
      });
      assert.ok(client);
      assert.ok(namespace);
    },
  },
  {
    id: "TAB9-columns",
    name: "custom: a table has the columns of the definition after the name column",
    needs: ["crd"],
    async run(context) {
      const resource = await customResource(context, gauges);
      await resource.create({
        metadata: { name: "a" },
        spec: {
          unit: "bar",
          size: 4,
          flag: true,
          ratio: 2.5,
          parts: [{ a: "p" }],
          slots: [{ key: "a" }, { key: "b", value: "v" }],
          free: { x: 1 },
          when: "2001-01-01T00:00:00Z",
        },
      });
      await resource.create({ metadata: { name: "b" }, spec: { unit: "bar" } });
      const response = await rawRequest(context, {
        path: gaugePath(context.namespace),
        accept: "application/json;as=Table;g=meta.k8s.io;v=v1",
      });
      const table = response.json<{
        columnDefinitions: Record<string, unknown>[];
        rows: { cells: unknown[] }[];
      }>();
      assert.deepEqual(
        table.columnDefinitions.map(({ name, type, priority }) => [name, type, priority]),
        [
          ["Name", "string", 0],
          ["Size", "integer", 0],
          ["Spec", "string", 1],
          ["Flag", "boolean", 0],
          ["Ratio", "number", 0],
          ["Part", "string", 0],
          ["Slot", "string", 0],
          ["When", "date", 0],
        ],
      );
      assert.deepEqual(
        table.columnDefinitions.slice(1, 3).map(({ description }) => description),
        ["Custom resource definition column (in JSONPath format): .spec.size", "all"],
      );
      const [first, second] = table.rows.map(({ cells }) => cells);
      assert.deepEqual(first?.slice(0, 7), ["a", 4, '{"x":1}', true, 2.5, "p", "v"]);
      assert.match(String(first?.[7]), /^2\dy/);
      assert.deepEqual(second, ["b", null, null, null, null, null, null, null]);
    },
  },
  {
    id: "SSA31-custom",
    name: "custom: an apply merges lists by the markers of the schema; a list without a marker is atomic",
    needs: ["crd"],
    async run(context) {
      const resource = await customResource(context, gauges);
      const config = (spec: object) => ({
        apiVersion,
        kind: "Gauge",
        metadata: { name: "a" },
        spec,
      });
      await resource.apply(
        config({
          unit: "bar",
          tags: ["x"],
          slots: [{ key: "a" }],
          parts: [{ a: "1" }],
          whole: { a: "1" },
          counts: { a: 1 },
        }) as never,
        { fieldManager: "one" },
      );
      const applied = await resource.apply(
        config({ tags: ["y"], slots: [{ key: "b", value: "v" }], counts: { b: 2 } }) as never,
        { fieldManager: "two" },
      );
      assert.deepEqual(applied["spec"], {
        unit: "bar",
        level: "low",
        tags: ["x", "y"],
        slots: [
          { key: "a", value: "none" },
          { key: "b", value: "v" },
        ],
        parts: [{ a: "1" }],
        whole: { a: "1" },
        counts: { a: 1, b: 2 },
      });
      const fields = Object.fromEntries(
        (applied.metadata.managedFields ?? []).map(({ manager, fieldsV1 }) => [manager, fieldsV1]),
      );
      assert.deepEqual(fields["one"], {
        "f:spec": {
          "f:counts": { "f:a": {} },
          "f:parts": {},
          "f:slots": { 'k:{"key":"a"}': { ".": {}, "f:key": {} } },
          "f:tags": { 'v:"x"': {} },
          "f:unit": {},
          "f:whole": {},
        },
      });
      assert.deepEqual(fields["two"], {
        "f:spec": {
          "f:counts": { "f:b": {} },
          "f:slots": { 'k:{"key":"b"}': { ".": {}, "f:key": {}, "f:value": {} } },
          "f:tags": { 'v:"y"': {} },
        },
      });
      for (const spec of [{ parts: [{ a: "2" }] }, { whole: { b: "2" } }]) {
        const conflict = await resource.apply(config(spec) as never, { fieldManager: "two" }).then(
          () => assert.fail("the server agreed"),
          (error: KubeError) => error,
        );
        const [field = ""] = Object.keys(spec);
        assert.deepEqual(
          conflict.causes.map((one) => [one.reason, one.field]),
          [["FieldManagerConflict", `.spec.${field}`]],
        );
      }
    },
  },
  {
    id: "SSA-custom-undeclared",
    name: "custom: an apply of undeclared fields is rejected and reports one field of each object",
    needs: ["crd"],
    async run(context) {
      await customResource(context, gauges);
      const path = `${gaugePath(context.namespace, "/a")}?fieldManager=one`;
      const response = await rawRequest(context, {
        method: "PATCH",
        path,
        contentType: "application/apply-patch+yaml",
        body: {
          apiVersion,
          kind: "Gauge",
          metadata: { name: "a" },
          // A server stops at an object's first error and visits its fields in random order.
          spec: {
            unit: "bar",
            slots: [
              { key: "c", more: 1 },
              { key: "d", more: 1 },
            ],
          },
        },
      });
      assert.equal(response.status, 500);
      assert.deepEqual(String(response.json()["message"]).split("\n"), [
        "failed to create typed patch object (/a; custom.typekube.dev/v1, Kind=Gauge): errors:",
        '  .spec.slots[key="c"].more: field not declared in schema',
        '  .spec.slots[key="d"].more: field not declared in schema',
      ]);
      const wrong = await rawRequest(context, {
        method: "PATCH",
        path,
        contentType: "application/apply-patch+yaml",
        body: { apiVersion, kind: "Gauge", metadata: { name: "a" }, spec: { slots: "x" } },
      });
      assert.equal(
        wrong.json()["message"],
        "failed to create typed patch object (/a; custom.typekube.dev/v1, Kind=Gauge): .spec.slots: expected list, got &{x}",
      );
    },
  },
  {
    id: "custom-managed-fields",
    name: "custom: create and update make the manager the owner of the written fields, spec included",
    needs: ["crd"],
    async run(context) {
      const resource = await customResource(context, gauges);
      const created = await resource.create(
        {
          metadata: { name: "a", labels: { l: "x" } },
          spec: { unit: "bar", slots: [{ key: "a" }] },
        },
        { fieldManager: "one" },
      );
      assert.deepEqual(created.metadata.managedFields?.[0]?.fieldsV1, {
        "f:metadata": { "f:labels": { ".": {}, "f:l": {} } },
        "f:spec": {
          ".": {},
          "f:level": {},
          "f:slots": {
            ".": {},
            'k:{"key":"a"}': { ".": {}, "f:key": {}, "f:value": {} },
          },
          "f:unit": {},
        },
      });
    },
  },
  {
    id: "custom-encodings",
    name: "custom: JSON, YAML and CBOR represent an object with a schema equally",
    needs: ["crd"],
    async run(context) {
      const resource = await customResource(context, gauges);
      const spec = { unit: "bar", maybe: null, free: { n: null, big: 9007199254740993n, f: 1.5 } };
      await resource.create({ metadata: { name: "a" }, spec });
      const read = await Promise.all(
        (["json", "yaml", "cbor"] as const).map((encoding) => resource.get("a", { encoding })),
      );
      assert.deepEqual(read[0]?.["spec"], { ...spec, level: "low" });
      assert.deepEqual(read[1], read[0]);
      assert.deepEqual(read[2], read[0]);
      const written = await resource.create({ metadata: { name: "b" }, spec }, {
        encoding: "cbor",
      } as never);
      assert.deepEqual(written["spec"], read[0]?.["spec"]);
      assert.deepEqual(await rejectionCauses(resource.create({ metadata: { name: "c" } })), [
        "spec | FieldValueRequired | Required value",
      ]);
    },
  },
];

function isBadRequestError(error: KubeError): boolean {
  return error.httpStatus === 400;
}
