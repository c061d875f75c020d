import assert from "node:assert/strict";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import { jsonPatch, mergePatch } from "@typekube/client";
import type { ConformanceCase } from "../conformance-case.js";
import {
  customDefinition,
  customResource,
  rejectionCauses,
  version,
} from "../support/custom-resources.js";
import { gauges } from "../support/gauges.js";
import { rawRequest } from "../support/raw-request.js";

const invalid = (field: string, value: unknown, why: string) =>
  `${field} | FieldValueInvalid | Invalid value: ${JSON.stringify(value)}: ${why}`;

/** Cases for the effect of a definition's schema on objects. */
export const customResourceSchemas: readonly ConformanceCase[] = [
  {
    id: "ES14-defaults",
    name: "custom: create and update fill in defaults, which the writer owns",
    needs: ["crd"],
    async run(context) {
      const resource = await customResource(context, gauges);
      const created = await resource.create({
        metadata: { name: "a" },
        spec: { unit: "bar", slots: [{ key: "a" }], maybe: null, level: null },
      });
      assert.deepEqual(created["spec"], {
        unit: "bar",
        slots: [{ key: "a", value: "none" }],
        maybe: null,
        level: "low",
      });
      const owned = JSON.stringify(created.metadata.managedFields?.[0]?.fieldsV1);
      assert.match(owned, /"f:level"/);
      const patched = await resource.patch("a", mergePatch({ spec: { level: null } }));
      assert.deepEqual((patched["spec"] as Record<string, unknown>)["level"], "low");
      assert.equal(patched.metadata.resourceVersion, created.metadata.resourceVersion);
    },
  },
  {
    id: "ES14-pruning",
    name: "custom: unknown fields are pruned with a warning each, unless the schema preserves them",
    needs: ["crd"],
    async run(context) {
      const resource = await customResource(context, gauges);
      const warnings: string[] = [];
      const spec = {
        unit: "bar",
        foo: 1,
        slots: [{ key: "a", more: 1 }],
        inner: { apiVersion: "v1", kind: "X", metadata: { name: "x", more: 1 }, spec: { a: 1 } },
        free: { anything: { n: null }, known: { a: "x", b: "y" } },
      };
      const created = await resource.create(
        { metadata: { name: "a", ...{ nick: "x" } }, spec, other: 1 } as never,
        { onWarning: (text) => warnings.push(text) },
      );
      assert.deepEqual(warnings.sort(), [
        'unknown field "metadata.nick"',
        'unknown field "other"',
        'unknown field "spec.foo"',
        'unknown field "spec.free.known.b"',
        'unknown field "spec.inner.metadata.more"',
        'unknown field "spec.slots[0].more"',
      ]);
      assert.equal(created["other"], undefined);
      assert.deepEqual(created["spec"], {
        unit: "bar",
        level: "low",
        slots: [{ key: "a", value: "none" }],
        inner: { apiVersion: "v1", kind: "X", metadata: { name: "x" }, spec: { a: 1 } },
        free: { anything: { n: null }, known: { a: "x" } },
      });
    },
  },
  {
    id: "ES14-strict",
    name: "custom: fieldValidation Strict rejects unknown and duplicate fields, Ignore drops them without a warning",
    needs: ["crd"],
    async run(context) {
      await customResource(context, gauges);
      const { namespace } = context;
      const path = `/apis/custom.typekube.dev/v1/namespaces/${namespace}/gauges`;
      const body =
        '{"apiVersion":"custom.typekube.dev/v1","kind":"Gauge","metadata":{"name":"a"},"spec":{"unit":"bar","unit":"psi","foo":1}}';
      const strict = await rawRequest(context, {
        method: "POST",
        path: `${path}?fieldValidation=Strict`,
        body,
      });
      assert.deepEqual(
        [strict.status, strict.json()["message"]],
        [
          400,
          'Gauge in version "v1" cannot be handled as a Gauge: strict decoding error: duplicate field "spec.unit", unknown field "spec.foo"',
        ],
      );
      const ignored = await rawRequest(context, {
        method: "POST",
        path: `${path}?fieldValidation=Ignore`,
        body,
      });
      assert.equal(ignored.status, 201);
      assert.equal(ignored.headers["warning"], undefined);
      assert.deepEqual(ignored.json()["spec"], { unit: "psi", level: "low" });
    },
  },
  {
    id: "ES14-ratcheting",
    name: "custom: an existing invalid value stays valid while it is unchanged",
    needs: ["crd"],
    async run(context) {
      const loose = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
      const definition = customDefinition("Valve", [
        version({ type: "object", properties: { spec: loose } }),
      ]);
      const resource = await customResource(context, definition);
      const bad = {
        size: -1,
        slots: [
          { key: "a", n: -1 },
          { key: "b", n: 1 },
        ],
        list: [-1, 1],
      };
      await resource.create({ metadata: { name: "a" }, spec: bad });
      const positive = { type: "integer", minimum: 0 };
      const strict = {
        type: "object",
        properties: {
          size: positive,
          other: positive,
          list: { type: "array", items: positive },
          slots: {
            type: "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["key"],
            items: {
              type: "object",
              required: ["key"],
              properties: { key: { type: "string" }, n: positive },
            },
          },
        },
      };
      const definitions = context.client.resource(CustomResourceDefinition);
      const name = definition.metadata?.name ?? "";
      await definitions.modify(name, (current) => {
        current.spec.versions = [
          version({ type: "object", properties: { spec: strict } }) as never,
        ];
      });
      // A real server applies the new schema a moment later; from then on it rejects a new invalid value.
      for (let isStrict = false; !isStrict; context.signal.throwIfAborted()) {
        const outcome = await resource
          .create({ metadata: { name: "probe" }, spec: { other: -1 } }, { dryRun: "All" })
          .then(
            () => undefined,
            (error: { code?: string }) => error.code,
          );
        isStrict = outcome === "Invalid";
      }
      const patched = await resource.patch("a", mergePatch({ spec: { other: 1 } }));
      assert.deepEqual(patched["spec"], { ...bad, other: 1 });
      const moved = jsonPatch([
        { op: "replace", path: "/spec/slots/1/n", value: 2 },
        { op: "replace", path: "/spec/list/1", value: 2 },
      ]);
      assert.deepEqual(await rejectionCauses(resource.patch("a", moved)), [
        invalid("spec.list[0]", -1, "spec.list[0] in body should be greater than or equal to 0"),
      ]);
      const worse = mergePatch({ spec: { size: -2 } });
      assert.deepEqual(await rejectionCauses(resource.patch("a", worse)), [
        invalid("spec.size", -2, "spec.size in body should be greater than or equal to 0"),
      ]);
    },
  },
  {
    id: "ES14-read-defaults",
    name: "custom: a stored object is read with the defaults and without the pruned fields of the current schema",
    needs: ["crd"],
    async run(context) {
      const schema = (properties: object) => ({
        type: "object",
        properties: { spec: { type: "object", properties } },
      });
      const string = { type: "string" };
      const definition = customDefinition("Pump", [version(schema({ old: string, same: string }))]);
      const resource = await customResource(context, definition);
      const created = await resource.create({
        metadata: { name: "a" },
        spec: { old: "x", same: "y" },
      });
      const definitions = context.client.resource(CustomResourceDefinition);
      await definitions.modify(definition.metadata?.name ?? "", (current) => {
        current.spec.versions = [
          version(schema({ same: string, added: { type: "string", default: "z" } })) as never,
        ];
      });
      for (;;) {
        context.signal.throwIfAborted();
        const read = await resource.get("a").catch(() => undefined);
        if (read !== undefined && JSON.stringify(read["spec"]).includes("added")) {
          assert.deepEqual(read["spec"], { same: "y", added: "z" });
          assert.equal(read.metadata.resourceVersion, created.metadata.resourceVersion);
          return;
        }
      }
    },
  },
  {
    id: "ES14-body-kind",
    name: "custom: a body of another kind or apiVersion is rejected, also in a patch",
    needs: ["crd"],
    async run(context) {
      const resource = await customResource(context, gauges);
      await resource.create({ metadata: { name: "a" }, spec: { unit: "bar" } });
      const { namespace } = context;
      const path = `/apis/custom.typekube.dev/v1/namespaces/${namespace}/gauges`;
      const post = async (apiVersion: string, kind: string) => {
        const body = { apiVersion, kind, metadata: { name: "b" }, spec: { unit: "bar" } };
        const response = await rawRequest(context, { method: "POST", path, body });
        return [response.status, response.json()["message"]];
      };
      assert.deepEqual(await post("custom.typekube.dev/v1", "Gauges"), [
        422,
        'Gauges.custom.typekube.dev "b" is invalid: kind: Invalid value: "Gauges": must be Gauge',
      ]);
      assert.deepEqual(await post("custom.typekube.dev/v2", "Gauge"), [
        400,
        "the API version in the data (custom.typekube.dev/v2) does not match the expected API version (custom.typekube.dev/v1)",
      ]);
      const seen = await rejectionCauses(resource.patch("a", mergePatch({ kind: "Foo" } as never)));
      assert.deepEqual(seen, [invalid("kind", "Foo", "must be Gauge")]);
      const labels = { metadata: { labels: { a: 1 } } };
      const reply = await rawRequest(context, {
        method: "POST",
        path,
        body: { apiVersion: "custom.typekube.dev/v1", kind: "Gauge", ...labels },
      });
      assert.deepEqual(
        [reply.status, reply.json()["message"]],
        [
          400,
          'Gauge in version "v1" cannot be handled as a Gauge: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
        ],
      );
    },
  },
];
